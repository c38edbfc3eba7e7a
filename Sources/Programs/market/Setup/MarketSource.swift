import CommandKit
import Glibc
import MarketAPI
import MarketClient
import MarketModel
import MarketStore
import MarketStrings
import MarketViewModels
import Posix
import SafeText
import SampleMarket
import StoreCore
import Synchronization

/// The market that a run shows: where its products and pictures come from.
struct MarketSource {
  /// By what its drafts, accounts and the screens of this run are kept.
  let key: MarketKey
  /// Where it is, a file by its whole path.
  let place: MarketPlace
  let repository: any ProductRepository
  let pictures: any PictureSource
  /// What was seen of a server earlier; nil for a store.
  let seen: (any CachedProducts)?
  /// As the top bar says it; nil is the local market.
  let name: SafeText?
  /// A server's address; nil for a store.
  let address: String?
  let drafts: DraftFolder
  /// Who sells from here.
  let accounts: AccountFile
  /// Says how far an upload has come.
  let uploads: UploadRelay
  /// Where what goes wrong is recorded.
  let log: EventLog
  /// Says the id that the market gave itself.
  var identity: (any IdentifiedMarket)?
  /// How much of the search index is up to date; nil for a server.
  var indexing: IndexingShare?
  /// The market file; nil for a server.
  var archive: (any MarketArchive)?
  /// Tells what changes in the market; nil where nothing does.
  var changes: (any ChangeSource)?
  /// Whether this is the first start: the local market was made just now, of the sample.
  var isNew = false
  /// Whether somebody looks at the terminal, for servers that have to be asked.
  var attention = Attention()
  /// The password of a product of the sample market, which everybody may know; nil for others.
  var samplePassword: @Sendable (Product.ID) async -> String? = { _ in nil }
  /// The API that a server speaks; nil for a store, and before the server was asked.
  var api: @Sendable () -> String? = { nil }

  /// Lets go of the market before the program ends, so that a file of one market is one file.
  func close() async { await archive?.close(patience: .seconds(2)) }
}

extension MarketArchive {
  /// Lets go of the market, but waits no longer than that for what still uses it.
  nonisolated func close(patience: Duration) async {
    let (ends, end) = AsyncStream.makeStream(of: Void.self)
    Task {
      await close()
      end.yield()
    }
    Task {
      try? await Task.sleep(for: patience)
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
  /// - Returns: the market; of a server nothing has been asked yet.
  /// - Throws: why the file cannot be used, or `.unreachable` with `.otherScheme` or
  ///   `.nameNotFound` for no address.
  static func open(
    _ options: MarketOptions, servers: [String: String], creates: Bool = true
  ) async throws(RepositoryError) -> MarketSource {
    let log = EventLog.open(options)
    let language = options.strings.language
    if let guest = options.guest { return try await open(for: guest, options, log) }
    guard let name = options.server else {
      return try await open(at: options.storePath, creates: creates, filledIn: language, log)
    }
    let text = servers[name] ?? name
    // A name of the settings may mean a file, which was there when it got its name.
    if let path = MarketPath.path(text) {
      return try await open(at: path, calledBy: name, creates: false, filledIn: language, log)
    }
    return try server(text, calledBy: options.rememberedName ?? name, options, log)
  }

  /// Opens a market that is known; nothing is made where there is none.
  static func open(
    _ market: KnownMarket, _ options: MarketOptions, _ log: EventLog
  ) async throws(RepositoryError) -> MarketSource {
    let language = options.strings.language
    return switch market.place {
    case .local: try await open(at: nil, creates: false, filledIn: language, log)
    case .file(let path):
      try await open(
        at: path, calledBy: market.name?.string, creates: false, filledIn: language, log)
    case .server(let address):
      try server(address, calledBy: market.name?.string ?? address, options, log)
    }
  }

  /// Opens the market in which the program was left.
  static func open(
    _ place: LastPlace, _ options: MarketOptions
  ) async throws(RepositoryError) -> MarketSource {
    let market = KnownMarket(
      key: key(of: place.market), name: place.name.map { SafeText($0) }, place: place.market)
    return try await open(market, options, EventLog.open(options))
  }

  private static func open(
    at path: String?, calledBy name: String? = nil, creates: Bool, filledIn language: Language,
    _ log: EventLog
  ) async throws(RepositoryError) -> MarketSource {
    try await log.watching("open", \.logged) { () throws(RepositoryError) in
      try await store(at: path, calledBy: name, creates: creates, filledIn: language, log)
    }
  }

  /// The market as the menu of markets knows it.
  var known: KnownMarket { KnownMarket(key: key, name: name, place: place) }

  /// By what a place is known here.
  static func key(of place: MarketPlace) -> MarketKey {
    switch place {
    case .local: .local
    case .file(let path): MarketKey(rawValue: "file-" + fileName(path))
    case .server(let address): MarketKey(rawValue: "server-" + fileName(address))
    }
  }

  private static func store(
    at path: String?, calledBy name: String?, creates: Bool, filledIn language: Language,
    _ log: EventLog
  ) async throws(RepositoryError) -> MarketSource {
    let isNew = path == nil && !Folder.isFile(Locations().defaultStore)
    let store = try await StoreOpening.open(path: path, creates: creates, filledIn: language)
    let name = path.map { SafeText(name ?? MarketPath.name(of: $0)) }
    // Drafts of a file are found by the path as it was named.
    let key = key(of: path.map(MarketPlace.file) ?? .local)
    return MarketSource(
      key: key, place: path.map { .file(MarketPath.whole($0)) } ?? .local,
      repository: logged(store, log), pictures: store, seen: nil, name: name, address: nil,
      drafts: drafts(of: key), accounts: accounts(of: key), uploads: UploadRelay(), log: log,
      identity: store, indexing: store.indexing, archive: store, changes: FileChanges(of: store),
      isNew: isNew,
      samplePassword: { id in
        let isSample = await store.keeps(passwordHash: SampleMarket.passwordHash, for: id)
        return isSample ? SampleMarket.password : nil
      })
  }

  /// Opens the one market that a guest gets.
  private static func open(
    for guest: Guest, _ options: MarketOptions, _ log: EventLog
  ) async throws(RepositoryError) -> MarketSource {
    if let server = options.server {
      let host = guest.way.split(separator: "@").last.map(String.init)
      return try self.server(server, calledBy: host ?? server, options, log)
    }
    guard let path = options.storePath else { throw .notFound }
    let store = try await StoreOpening.open(
      path: path, creates: false, readsOnly: guest.onlyLooks, filledIn: options.strings.language)
    let key = key(of: .file(path))
    return MarketSource(
      key: key, place: .file(MarketPath.whole(path)),
      repository: GuestRepository(store, for: guest, now: { SystemTime.now().seconds }),
      pictures: store, seen: nil, name: SafeText(MarketPath.name(of: path)), address: nil,
      drafts: drafts(of: key, for: guest), accounts: accounts(of: key, for: guest),
      uploads: UploadRelay(), log: log, indexing: store.indexing, archive: store,
      changes: FileChanges(of: store))
  }

  private static func server(
    _ text: String, calledBy name: String, _ options: MarketOptions, _ log: EventLog
  ) throws(RepositoryError) -> MarketSource {
    let address = try address(text)
    let guest = options.guest
    let connection = ServerConnection(
      to: address, over: transport(to: address, for: guest, log),
      contentHash: { ContentHash.of($0) })
    // What many guests read of a server nearby is worth no copy for each.
    let cache = guest == nil ? ResponseCache(at: Locations().seen) : nil
    let place = MarketPlace.server(address: address.text)
    let key = key(of: place)
    let drafts = drafts(of: key, for: guest)
    let uploads = UploadRelay()
    let attention = Attention()
    let repository = HTTPProductRepository(
      over: connection, speaking: options.api.dialect, cache: cache,
      dependencies: HTTPProductRepository.Dependencies(
        wasSentBefore: { key in await drafts.wasSent(key) },
        onUpload: { sent, total in uploads.tell(UploadProgress(sent: sent, total: total)) }))
    return MarketSource(
      key: key, place: place, repository: logged(repository, log),
      pictures: HTTPPictureSource(over: connection, cache: cache),
      seen: repository, name: SafeText(name), address: address.text,
      drafts: drafts, accounts: accounts(of: key, for: guest), uploads: uploads,
      log: log, identity: repository,
      changes: repository.changes(while: attention, on: QueueClock()),
      attention: attention,
      api: { repository.dialectName })
  }

  /// The way to a server; for a guest it says who asks.
  private static func transport(
    to address: WebAddress, for guest: Guest?, _ log: EventLog
  ) -> any HTTPTransport {
    // As everywhere with OpenSSL: a market may have a certificate of an authority of its own.
    let curl = CurlTransport(authorities: AuthorityFile.path())
    guard let guest else { return log.isOn ? LoggedTransport(curl, log: log) : curl }
    return ForwardingTransport(
      transport: curl, origin: address.origin, guest: guest.caller.address)
  }

  /// The address that a text means; people leave the scheme out.
  static func address(_ text: String) throws(RepositoryError) -> WebAddress {
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
    DraftFolder(
      Locations().state + "/drafts/" + key.rawValue, atMost: guest == nil ? .max : Guest.mostDrafts)
  }

  private static func accounts(of key: MarketKey, for guest: Guest? = nil) -> AccountFile {
    AccountFile(
      folder: Locations().config, name: "seller-" + key.rawValue, of: guest?.seller)
  }

  /// An address or a path as a part of a file's name.
  private static func fileName(_ text: String) -> String {
    String(text.map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == ".") ? $0 : "-" })
  }
}

extension MarketPlace {
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
    if path.hasPrefix("~/") { return Locations().home + path.dropFirst() }
    guard !path.hasPrefix("/") else { return path }
    guard let folder = getcwd(nil, 0) else { return path }
    defer { free(folder) }
    let name = path.hasPrefix("./") ? String(path.dropFirst(2)) : path
    return String(cString: folder) + "/" + name
  }

  /// The file's name without its folder.
  static func name(of path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
  }
}

/// Relay that hands the progress of uploads on to whoever shows it, who comes later than the
/// connection.
nonisolated final class UploadRelay: Sendable {
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
