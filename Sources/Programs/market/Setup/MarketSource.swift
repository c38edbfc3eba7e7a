import CommandKit
import Glibc
import MarketAPI
import MarketClient
import MarketModel
import MarketStore
import MarketStrings
import MarketViewModels
import Posix
import SafeTextKit
import SampleMarket
import StoreCore
import Synchronization
import TextCoding

/// Market shown by a run, with its repository, pictures and local files.
struct MarketSource {
  /// Key of its drafts, accounts and screens.
  let key: MarketKey
  /// Location, with the absolute path of a file.
  let location: MarketLocation
  let repository: any ProductRepository
  let pictures: any PictureSource
  /// Cache of a server's products; nil for a store.
  let seen: (any ProductCache)?
  /// Name in the top bar; nil for the local market.
  let name: SafeText?
  /// Address of a server; nil for a store.
  let address: String?
  let drafts: DraftFolder
  /// Seller account in this market.
  let accounts: AccountFile
  /// Connection to a server; nil for a store.
  var connection: ServerConnection?
  /// Reports the progress of uploads.
  let uploads: UploadProgressForwarder
  let log: EventLog
  /// Provider of the market's id; nil for a guest's file.
  var identity: (any IdentifiedMarket)?
  /// Progress of the search index; nil for a server.
  var indexing: IndexingProgress?
  /// Market file; nil for a server.
  var archive: (any MarketArchive)?
  /// Change source; nil if there is none.
  var changes: (any ChangeSource)?
  /// Whether this is the first start, which created the local market from the sample.
  var isNew = false
  /// Whether opening the market file found that its file system has no shared memory.
  var lacksSharedMemory = false
  /// Presence of the user, for servers that are polled.
  var attention = UserPresence()
  /// Returns the public password of a sample product; nil for others.
  var samplePassword: @Sendable (Product.ID) async -> String? = { _ in nil }
  /// Returns the name of the server's API; nil for a store, and before the first response.
  var api: @Sendable () -> String? = { nil }

  /// Closes the market before the program ends, so that a market file has no other files beside it.
  func close() async { await archive?.close(timeout: .seconds(2)) }
}

extension MarketArchive {
  /// Closes the market, but waits at most `timeout` for running operations.
  nonisolated func close(timeout: Duration) async {
    let (ends, end) = AsyncStream.makeStream(of: Void.self)
    Task {
      await close()
      end.yield()
    }
    Task {
      try? await Task.sleep(for: timeout)
      end.yield()
    }
    for await _ in ends { return }
  }
}

extension MarketSource {
  /// Opens the server or market file of the options.
  ///
  /// No request is sent to a server.
  ///
  /// - Parameters:
  ///   - options: options of the command line and settings.
  ///   - servers: addresses by their names in the settings.
  ///   - creates: whether a missing market file is created.
  /// - Returns: the market with what belongs to it.
  /// - Throws: what `SQLiteStore.open` throws for a file, `.unreachable` with `.otherScheme` or
  ///   `.nameNotFound` for an invalid address, `.notFound` for a guest without a market.
  static func open(
    _ options: MarketOptions, servers: [String: String], creates: Bool = true
  ) async throws(RepositoryError) -> MarketSource {
    let run = Run(options: options, log: EventLog.open(options))
    if let guest = options.guest { return try await open(for: guest, run) }
    guard let name = options.server else {
      return try await open(at: options.storePath, creates: creates, run)
    }
    let text = servers[name] ?? name
    // A name in the settings may stand for a file, which existed when it was named.
    if let path = MarketPath.path(text) {
      return try await open(at: path, calledBy: name, creates: false, run)
    }
    return try server(text, calledBy: options.rememberedName ?? name, run)
  }

  /// Opens a known market; a missing file is not created.
  /// - Throws: as `open(_:servers:creates:)`.
  static func open(
    _ market: KnownMarket, _ options: MarketOptions, _ log: EventLog
  ) async throws(RepositoryError) -> MarketSource {
    let run = Run(options: options, log: log)
    return switch market.location {
    case .local: try await open(at: nil, creates: false, run)
    case .file(let path):
      try await open(at: path, calledBy: market.name?.string, creates: false, run)
    case .server(let address):
      try server(address, calledBy: market.name?.string ?? address, run)
    }
  }

  /// Opens the market of the last session.
  /// - Throws: as `open(_:servers:creates:)`.
  static func open(
    _ state: SessionState, _ options: MarketOptions
  ) async throws(RepositoryError) -> MarketSource {
    let market = KnownMarket(
      key: key(of: state.market), name: state.name.map { SafeText($0) }, location: state.market)
    return try await open(market, options, EventLog.open(options))
  }

  /// Parameters of opening a market.
  private struct Run {
    let options: MarketOptions
    let log: EventLog
  }

  private static func open(
    at path: String?, calledBy name: String? = nil, creates: Bool, _ run: Run
  ) async throws(RepositoryError) -> MarketSource {
    try await run.log.watching("open", \.logged) { () throws(RepositoryError) in
      try await store(at: path, calledBy: name, creates: creates, run)
    }
  }

  /// Market as an entry of the menu of markets.
  var known: KnownMarket { KnownMarket(key: key, name: name, location: location) }

  /// Key of a location.
  nonisolated static func key(of location: MarketLocation) -> MarketKey {
    switch location {
    case .local: .local
    case .file(let path): MarketKey(realPath: Folder.realPath(of: path))
    case .server(let text):
      (try? address(text)).map { MarketKey(server: $0) } ?? MarketKey(rawValue: text)
    }
  }

  private static func store(
    at path: String?, calledBy name: String?, creates: Bool, _ run: Run
  ) async throws(RepositoryError) -> MarketSource {
    let isNew = path == nil && !Folder.isFile(AppPaths().defaultStore)
    let store = try await StoreOpener.open(
      path: path, creates: creates, filledIn: run.options.strings.language)
    let name = path.map { SafeText(name ?? MarketPath.name(of: $0)) }
    let location = path.map { MarketLocation.file(MarketPath.whole($0)) } ?? .local
    let key = key(of: location)
    return MarketSource(
      key: key, location: location, repository: logged(store, run.log), pictures: store, seen: nil,
      name: name, address: nil,
      drafts: drafts(of: key), accounts: accounts(of: key),
      uploads: UploadProgressForwarder(), log: run.log, identity: store,
      indexing: store.indexing, archive: store,
      changes: FileChanges(of: store), isNew: isNew,
      lacksSharedMemory: store.hasLeftWriteAheadLog.load(ordering: .relaxed),
      samplePassword: { id in
        let isSample = await store.hasPasswordHash(EmbeddedSample.passwordHash, for: id)
        return isSample ? EmbeddedSample.password : nil
      })
  }

  /// Opens the only market of a guest.
  private static func open(
    for guest: Guest, _ run: Run
  ) async throws(RepositoryError) -> MarketSource {
    let options = run.options
    if let server = options.server {
      let host = guest.sshArguments.split(separator: "@").last.map(String.init)
      return try self.server(server, calledBy: host ?? server, run)
    }
    guard let path = options.storePath else { throw .notFound }
    let store = try await StoreOpener.open(
      path: path, creates: false, readsOnly: guest.onlyLooks, filledIn: options.strings.language)
    let location = MarketLocation.file(MarketPath.whole(path))
    let key = key(of: location)
    return MarketSource(
      key: key, location: location,
      repository: GuestRepository(store, for: guest, now: { SystemTime.now().seconds }),
      pictures: store, seen: nil, name: SafeText(MarketPath.name(of: path)), address: nil,
      drafts: drafts(of: key, for: guest), accounts: accounts(of: key, for: guest),
      uploads: UploadProgressForwarder(), log: run.log, indexing: store.indexing,
      archive: store, changes: FileChanges(of: store))
  }

  private static func server(
    _ text: String, calledBy name: String, _ run: Run
  ) throws(RepositoryError) -> MarketSource {
    let address = try address(text)
    let (options, log) = (run.options, run.log)
    let guest = options.guest
    let connection = ServerConnection(
      to: address, over: transport(to: address, for: guest, log),
      contentHash: { ContentHash.of($0) })
    // Responses from a nearby server need no cache for each guest.
    let cache = guest == nil ? ResponseCache(at: AppPaths().seen) : nil
    let location = MarketLocation.server(address: address.text)
    let key = MarketKey(server: address)
    let drafts = drafts(of: key, for: guest)
    let uploads = UploadProgressForwarder()
    let attention = UserPresence()
    let repository = HTTPProductRepository(
      over: connection, speaking: options.api.dialect, cache: cache,
      dependencies: HTTPProductRepository.Dependencies(
        wasSentBefore: { key in await drafts.wasSent(key) },
        onUpload: { sent, total in uploads.report(UploadProgress(sent: sent, total: total)) }))
    return MarketSource(
      key: key, location: location, repository: logged(repository, log),
      pictures: HTTPPictureSource(over: connection, cache: cache),
      seen: repository, name: SafeText(name), address: address.text,
      drafts: drafts, accounts: accounts(of: key, for: guest), connection: connection,
      uploads: uploads, log: log, identity: repository,
      changes: repository.changes(while: attention, on: DispatchClock()),
      attention: attention,
      api: { repository.dialectName })
  }

  /// Transport to a server; for a guest it forwards the guest's address.
  private static func transport(
    to address: WebAddress, for guest: Guest?, _ log: EventLog
  ) -> any HTTPTransport {
    // As everywhere with OpenSSL: a market may have a certificate of its own authority.
    let curl = CurlTransport(authorities: CABundle.path())
    guard let guest else { return log.isOn ? LoggedTransport(curl, log: log) : curl }
    return ForwardingTransport(
      transport: curl, origin: address.origin, guest: guest.caller.address)
  }

  /// Parses an address; `http` is the default scheme.
  /// - Throws: `.unreachable` with `.otherScheme` for other schemes than http and https, with
  ///   `.nameNotFound` for an invalid address.
  nonisolated static func address(_ text: String) throws(RepositoryError) -> WebAddress {
    let address = text.contains("://") ? text : "http://" + text
    guard ["http://", "https://"].contains(where: address.lowercased().hasPrefix) else {
      throw .unreachable(.otherScheme)
    }
    guard let address = WebAddress(address) else { throw .unreachable(.nameNotFound) }
    return address
  }

  private static func logged(
    _ repository: any ProductRepository, _ log: EventLog
  ) -> any ProductRepository {
    log.isOn ? LoggedRepository(repository, log: log) : repository
  }

  private static func drafts(of key: MarketKey, for guest: Guest? = nil) -> DraftFolder {
    DraftFolder(DraftFolder.path(of: key), atMost: guest == nil ? .max : Guest.maxDrafts)
  }

  /// Seller account in a market, read without opening it; nil if there is none.
  static func account(in market: KnownMarket) async -> SellerAccount? {
    await accounts(of: market.key).known()
  }

  private static func accounts(of key: MarketKey, for guest: Guest? = nil) -> AccountFile {
    AccountFile(
      folder: AppPaths().config, name: AccountFile.namePrefix + key.fileName, of: guest?.seller)
  }
}

extension MarketLocation {
  /// Parses a typed address or path; nil if it is neither.
  @MainActor init?(_ text: String) {
    if let path = MarketPath.path(text) {
      self = .file(path)
    } else if let address = try? MarketSource.address(text) {
      self = .server(address: address.text)
    } else {
      return nil
    }
  }
}

/// Paths of market files as users write them.
nonisolated enum MarketPath {
  /// Suffixes of file names that need no folder.
  private static let endings = [".sqlite", ".sqlite3", ".db"]

  /// Absolute path of a text that begins like a path or ends like a market file; nil for an address.
  static func path(_ text: String) -> String? {
    guard !text.contains("://") else { return nil }
    let begins = ["/", "~/", "./", "../"].contains(where: text.hasPrefix)
    guard begins || endings.contains(where: text.lowercased().hasSuffix) else { return nil }
    return whole(text)
  }

  /// Absolute path of a relative one.
  static func whole(_ path: String) -> String {
    if path.hasPrefix("~/") { return AppPaths().home + path.dropFirst() }
    guard !path.hasPrefix("/") else { return path }
    guard let folder = getcwd(nil, 0) else { return path }
    defer { free(folder) }
    let name = path.hasPrefix("./") ? String(path.dropFirst(2)) : path
    return String(cString: folder) + "/" + name
  }

  /// Name of the file without its folder.
  static func name(of path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
  }
}

extension MarketKey {
  /// Maximum bytes of a name, which leaves room below the limit of file systems (255).
  nonisolated private static let maxNameLength = 180

  /// Name of a file or folder, unique for each key, with room for a prefix and suffix.
  ///
  /// A name that would be too long is replaced by the hash of the key.
  nonisolated var fileName: String {
    guard self != .local else { return rawValue }
    let kind = rawValue.hasPrefix("/") ? "file-" : "server-"
    let name = PercentCoding.encode(rawValue)
    guard name.utf8.count > Self.maxNameLength else { return kind + name }
    // `+` does not occur in encoded text.
    return kind + "+" + Hexadecimal.text(of: ContentHash.of(rawValue))
  }
}

/// Forwarder of upload progress to an observer that is set after the connection is created.
nonisolated final class UploadProgressForwarder: Sendable {
  private let observer = Mutex<(@Sendable (UploadProgress) -> Void)?>(nil)

  func follow(_ observer: @escaping @Sendable (UploadProgress) -> Void) {
    self.observer.withLock { $0 = observer }
  }

  func report(_ progress: UploadProgress) {
    observer.withLock { $0 }?(progress)
  }
}

extension EventLog {
  /// Opens the log of the options.
  ///
  /// If that fails, prints the reason on standard error and returns a disabled log.
  fileprivate static func open(_ options: MarketOptions) -> EventLog {
    guard let path = options.logPath else {
      if options.logsRequests { Console.warn(options.strings[.logRequestsWithoutFile]) }
      return .off
    }
    do throws(SystemError) {
      let file = try LogFile(path)
      var log = EventLog { file.write($0) }
      log.hasRequests = options.logsRequests
      for line in Doctor.surroundings { log.record(line) }
      return log
    } catch {
      let strings = options.strings
      Console.warn(strings(.logNotOpened, SafeText(path), error.text(strings)))
      return .off
    }
  }
}
