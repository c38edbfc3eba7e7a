import CommandKit
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
  /// The market file; nil for a server.
  var archive: (any MarketArchive)?
  /// Tells what changes in the market; nil where nothing does.
  var changes: (any ChangeSource)?
  /// Whether somebody looks at the terminal, for servers that have to be asked.
  var attention = Attention()
  /// The password of a product of the sample market, which everybody may know; nil for others.
  var samplePassword: @Sendable (Product.ID) async -> String? = { _ in nil }

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
    guard let server = options.server else {
      return try await log.watching("open", \.logged) { () throws(RepositoryError) in
        try await store(at: options.storePath, creates: creates, log)
      }
    }
    return try self.server(servers[server] ?? server, calledBy: server, options, log)
  }

  private static func store(
    at path: String?, creates: Bool, _ log: EventLog
  ) async throws(RepositoryError) -> MarketSource {
    let store = try await StoreOpening.open(path: path, creates: creates)
    let name = path.map { SafeText($0.split(separator: "/").last.map(String.init) ?? $0) }
    let key = path.map { "file-" + fileName($0) } ?? "local"
    return MarketSource(
      repository: logged(store, log), pictures: store, seen: nil, name: name, address: nil,
      drafts: drafts(of: key), accounts: accounts(of: key), uploads: UploadRelay(), log: log,
      archive: store, changes: FileChanges(of: store),
      samplePassword: { id in
        let isSample = await store.keeps(passwordHash: SampleMarket.passwordHash, for: id)
        return isSample ? SampleMarket.password : nil
      })
  }

  private static func server(
    _ text: String, calledBy name: String, _ options: MarketOptions, _ log: EventLog
  ) throws(RepositoryError) -> MarketSource {
    // People leave the scheme out.
    let address = text.contains("://") ? text : "http://" + text
    guard ["http://", "https://"].contains(where: address.lowercased().hasPrefix) else {
      throw .unreachable(.otherScheme)
    }
    guard let address = WebAddress(address) else { throw .unreachable(.nameNotFound) }
    let locations = Locations()
    // As everywhere with OpenSSL: a market may have a certificate of an authority of its own.
    let curl = CurlTransport(authorities: Environment.value(of: "SSL_CERT_FILE"))
    let connection = ServerConnection(
      to: address, over: log.isOn ? LoggedTransport(curl, log: log) : curl)
    let cache = ResponseCache(at: locations.seen)
    let key = "server-" + fileName(address.text)
    let drafts = drafts(of: key)
    let uploads = UploadRelay()
    let attention = Attention()
    let repository = HTTPProductRepository(
      over: connection, speaking: options.api.dialect, cache: cache,
      dependencies: HTTPProductRepository.Dependencies(
        wasSentBefore: { key in await drafts.wasSent(key) },
        onUpload: { sent, total in uploads.tell(UploadProgress(sent: sent, total: total)) }))
    return MarketSource(
      repository: logged(repository, log),
      pictures: HTTPPictureSource(over: connection, cache: cache),
      seen: repository, name: SafeText(options.rememberedName ?? name), address: address.text,
      drafts: drafts, accounts: accounts(of: key), uploads: uploads,
      log: log, changes: repository.changes(while: attention, on: QueueClock()),
      attention: attention)
  }

  private static func logged(
    _ repository: any ProductRepository, _ log: EventLog
  ) -> any ProductRepository {
    log.isOn ? LoggedRepository(repository, log: log) : repository
  }

  private static func drafts(of key: String) -> DraftFolder {
    DraftFolder(Locations().state + "/drafts/" + key)
  }

  private static func accounts(of key: String) -> AccountFile {
    AccountFile(folder: Locations().config, name: "seller-" + key)
  }

  /// An address or a path as a part of a file's name.
  private static func fileName(_ text: String) -> String {
    String(text.map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == ".") ? $0 : "-" })
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
