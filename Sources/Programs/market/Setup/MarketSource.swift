import CommandKit
import Glibc
import MarketAPI
import MarketClient
import MarketModel
import MarketStore
import MarketStrings
import MarketViewModels
import PersonalStore
import Posix
import SafeTextKit
import SampleMarket
import StoreCore
import Synchronization

/// The market that a run shows: where its products and pictures come from.
struct MarketSource {
  /// By what its drafts, accounts and the screens of this run are kept.
  var key: MarketKey { former.location.key }
  /// Its place, and what of an earlier version's files is its own.
  let former: LegacyLocation
  /// Where it is, a file by its whole path.
  let location: MarketLocation
  let repository: any ProductRepository
  let pictures: any PictureSource
  /// What was seen of a server earlier; nil for a store.
  let seen: (any ProductCache)?
  /// As the top bar says it; nil is the local market.
  let name: SafeText?
  /// A server's address; nil for a store.
  let address: String?
  let drafts: DraftFolder
  /// Who sells from here.
  let accounts: AccountFile
  /// Says how far an upload has come.
  let uploads: UploadProgressForwarder
  /// Where what goes wrong is recorded.
  let log: EventLog
  /// What a person is to be told of the market once it is shown.
  let sentences: MessageRelay
  /// Says the id that the market gave itself.
  var identity: (any IdentifiedMarket)?
  /// How much of the search index is up to date; nil for a server.
  var indexing: IndexingProgress?
  /// The market file; nil for a server.
  var archive: (any MarketArchive)?
  /// Tells what changes in the market; nil where nothing does.
  var changes: (any ChangeSource)?
  /// Whether this is the first start: the local market was made just now, of the sample.
  var isNew = false
  /// Whether somebody looks at the terminal, for servers that have to be asked.
  var attention = UserPresence()
  /// The password of a product of the sample market, which everybody may know; nil for others.
  var samplePassword: @Sendable (Product.ID) async -> String? = { _ in nil }
  /// The API that a server speaks; nil for a store, and before the server was asked.
  var api: @Sendable () -> String? = { nil }

  /// Lets go of the market before the program ends, so that a file of one market is one file.
  func close() async { await archive?.close(timeout: .seconds(2)) }
}

extension MarketArchive {
  /// Lets go of the market, but waits no longer than that for what still uses it.
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
  /// Opens the server or the market file that the options name.
  ///
  /// - Parameters:
  ///   - options: what the command line and the settings say.
  ///   - servers: addresses by their names in the settings.
  ///   - creates: whether a market file that is named is made where there is none.
  ///   - shows: whether it is shown on a screen; else standard error tells what is to be known.
  /// - Returns: the market; of a server nothing has been asked yet.
  /// - Throws: why the file cannot be used, or `.unreachable` with `.otherScheme` or
  ///   `.nameNotFound` for no address.
  static func open(
    _ options: MarketOptions, servers: [String: String], creates: Bool = true, shows: Bool = true
  ) async throws(RepositoryError) -> MarketSource {
    let run = Run(options: options, log: EventLog.open(options), shows: shows)
    if let guest = options.guest { return try await open(for: guest, run) }
    guard let name = options.server else {
      return try await open(at: options.storePath, creates: creates, run)
    }
    let text = servers[name] ?? name
    // A name of the settings may mean a file, which was there when it got its name.
    if let path = MarketPath.path(text) {
      return try await open(at: path, calledBy: name, creates: false, run)
    }
    return try server(text, calledBy: options.rememberedName ?? name, run)
  }

  /// Opens a market that is known; nothing is made where there is none.
  static func open(
    _ market: KnownMarket, _ options: MarketOptions, _ log: EventLog
  ) async throws(RepositoryError) -> MarketSource {
    let run = Run(options: options, log: log, shows: true)
    return switch market.location {
    case .local: try await open(at: nil, creates: false, run)
    case .file(let path):
      try await open(at: path, calledBy: market.name?.string, creates: false, run)
    case .server(let address):
      try server(address, calledBy: market.name?.string ?? address, run)
    }
  }

  /// Opens the market in which the program was left.
  static func open(
    _ state: SessionState, _ options: MarketOptions
  ) async throws(RepositoryError) -> MarketSource {
    let market = KnownMarket(
      key: key(of: state.market), name: state.name.map { SafeText($0) }, location: state.market)
    return try await open(market, options, EventLog.open(options))
  }

  /// What a market is opened for.
  private struct Run {
    let options: MarketOptions
    let log: EventLog
    let shows: Bool
    let sentences = MessageRelay()

    func former(_ location: KnownLocation) -> LegacyLocation {
      LegacyLocation(location, options, telling: shows ? sentences : nil)
    }
  }

  private static func open(
    at path: String?, calledBy name: String? = nil, creates: Bool, _ run: Run
  ) async throws(RepositoryError) -> MarketSource {
    try await run.log.watching("open", \.logged) { () throws(RepositoryError) in
      try await store(at: path, calledBy: name, creates: creates, run)
    }
  }

  /// The market as the menu of markets knows it.
  var known: KnownMarket { KnownMarket(key: key, name: name, location: location) }

  /// By what a place is known here.
  static func key(of location: MarketLocation) -> MarketKey {
    switch location {
    case .local: .local
    case .file(let path): KnownLocation(file: path).key
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
    let former = run.former(path.map(MarketPath.location) ?? KnownLocation(.local))
    return MarketSource(
      former: former, location: path.map { .file(MarketPath.whole($0)) } ?? .local,
      repository: logged(store, run.log), pictures: store, seen: nil, name: name, address: nil,
      drafts: drafts(of: former), accounts: accounts(of: former),
      uploads: UploadProgressForwarder(),
      log: run.log, sentences: run.sentences, identity: store, indexing: store.indexing,
      archive: store,
      changes: FileChanges(of: store), isNew: isNew,
      samplePassword: { id in
        let isSample = await store.keeps(passwordHash: EmbeddedSample.passwordHash, for: id)
        return isSample ? EmbeddedSample.password : nil
      })
  }

  /// Opens the one market that a guest gets.
  private static func open(
    for guest: Guest, _ run: Run
  ) async throws(RepositoryError) -> MarketSource {
    let options = run.options
    if let server = options.server {
      let host = guest.way.split(separator: "@").last.map(String.init)
      return try self.server(server, calledBy: host ?? server, run)
    }
    guard let path = options.storePath else { throw .notFound }
    let store = try await StoreOpener.open(
      path: path, creates: false, readsOnly: guest.onlyLooks, filledIn: options.strings.language)
    let former = run.former(MarketPath.location(path))
    return MarketSource(
      former: former, location: .file(MarketPath.whole(path)),
      repository: GuestRepository(store, for: guest, now: { SystemTime.now().seconds }),
      pictures: store, seen: nil, name: SafeText(MarketPath.name(of: path)), address: nil,
      drafts: drafts(of: former, for: guest), accounts: accounts(of: former, for: guest),
      uploads: UploadProgressForwarder(), log: run.log, sentences: run.sentences,
      indexing: store.indexing,
      archive: store,
      changes: FileChanges(of: store))
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
    // What many guests read of a server nearby is worth no copy for each.
    let cache = guest == nil ? ResponseCache(at: AppPaths().seen) : nil
    let location = MarketLocation.server(address: address.text)
    let former = run.former(KnownLocation(server: address))
    let drafts = drafts(of: former, for: guest)
    let uploads = UploadProgressForwarder()
    let attention = UserPresence()
    let repository = HTTPProductRepository(
      over: connection, speaking: options.api.dialect, cache: cache,
      dependencies: HTTPProductRepository.Dependencies(
        wasSentBefore: { key in await drafts.wasSent(key) },
        onUpload: { sent, total in uploads.tell(UploadProgress(sent: sent, total: total)) }))
    return MarketSource(
      former: former, location: location, repository: logged(repository, log),
      pictures: HTTPPictureSource(over: connection, cache: cache),
      seen: repository, name: SafeText(name), address: address.text,
      drafts: drafts, accounts: accounts(of: former, for: guest), uploads: uploads,
      log: log, sentences: run.sentences, identity: repository,
      changes: repository.changes(while: attention, on: DispatchClock()),
      attention: attention,
      api: { repository.dialectName })
  }

  /// The way to a server; for a guest it says who asks.
  private static func transport(
    to address: WebAddress, for guest: Guest?, _ log: EventLog
  ) -> any HTTPTransport {
    // As everywhere with OpenSSL: a market may have a certificate of an authority of its own.
    let curl = CurlTransport(authorities: CABundle.path())
    guard let guest else { return log.isOn ? LoggedTransport(curl, log: log) : curl }
    return ForwardingTransport(
      transport: curl, origin: address.origin, guest: guest.caller.address)
  }

  /// The address that a text means; people leave the scheme out.
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

  private static func drafts(of former: LegacyLocation, for guest: Guest? = nil) -> DraftFolder {
    DraftFolder(
      DraftFolder.path(of: former.location.key), atMost: guest == nil ? .max : Guest.maxDrafts,
      former: former)
  }

  /// The account of this computer in a market, which is not opened for that; nil where there is none.
  static func account(in market: KnownMarket) async -> SellerAccount? {
    let name = AccountFile.namePrefix + market.key.fileName
    return await AccountFile(folder: AppPaths().config, name: name).known()
  }

  private static func accounts(of former: LegacyLocation, for guest: Guest? = nil) -> AccountFile {
    AccountFile(
      folder: AppPaths().config, name: AccountFile.namePrefix + former.location.key.fileName,
      of: guest?.seller,
      former: former)
  }
}

extension MarketLocation {
  /// The place that a typed address or path means; nil where it can be neither.
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

/// Paths of market files as people write them.
nonisolated enum MarketPath {
  /// Endings by which a name without a folder is a file's.
  private static let endings = [".sqlite", ".sqlite3", ".db"]

  /// The whole path that a text names, where it begins as one, ends as a market file, or is the name of
  /// a file that is there; nil for an address.
  static func path(_ text: String) -> String? {
    guard !text.contains("://") else { return nil }
    let begins = ["/", "~/", "./", "../"].contains(where: text.hasPrefix)
    guard begins || endings.contains(where: text.lowercased().hasSuffix) else { return nil }
    return whole(text)
  }

  /// A path from the root of the file system on.
  static func whole(_ path: String) -> String {
    if path.hasPrefix("~/") { return AppPaths().home + path.dropFirst() }
    guard !path.hasPrefix("/") else { return path }
    guard let folder = getcwd(nil, 0) else { return path }
    defer { free(folder) }
    let name = path.hasPrefix("./") ? String(path.dropFirst(2)) : path
    return String(cString: folder) + "/" + name
  }

  /// The place of a file by a path as it was named.
  static func location(_ path: String) -> KnownLocation {
    KnownLocation(file: whole(path), named: [path])
  }

  /// The file's name without its folder.
  static func name(of path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
  }
}

/// Relay that hands the progress of uploads on to whoever shows it, who comes later than the
/// connection.
nonisolated final class UploadProgressForwarder: Sendable {
  private let observer = Mutex<(@Sendable (UploadProgress) -> Void)?>(nil)

  func follow(_ observer: @escaping @Sendable (UploadProgress) -> Void) {
    self.observer.withLock { $0 = observer }
  }

  func tell(_ progress: UploadProgress) {
    observer.withLock { $0 }?(progress)
  }
}

extension EventLog {
  /// Opens the log that the options ask for and says where it begins; one that cannot be opened is
  /// told on standard error, and the run goes on without it.
  fileprivate static func open(_ options: MarketOptions) -> EventLog {
    guard let path = options.logPath else { return .off }
    do throws(SystemError) {
      let file = try LogFile(path)
      let log = EventLog { file.write($0) }
      for line in Doctor.surroundings { log.record(line) }
      return log
    } catch {
      let strings = options.strings
      Console.warn(strings(.logNotOpened, SafeText(path), error.text(strings)))
      return .off
    }
  }
}
