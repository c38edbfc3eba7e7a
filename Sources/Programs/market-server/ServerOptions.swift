import CommandKit
import Glibc
import MarketAPI
import MarketModel
import MarketPages
import MarketServer
import MarketStrings
import MarketTransfer
import Posix
import SafeTextKit
import StoreCore

/// Options of the server program.
struct ServerOptions: OperatorCommandValues, Hashable, Sendable {
  /// Server that is checked instead of serving.
  enum Check: Hashable {
    case none
    /// Server at the options' `address`.
    case own
    case address(String)
  }

  var address = HostAndPort(host: "127.0.0.1", port: 8_080)
  /// File or database address; nil is the default file.
  var storePath: String?
  /// File with the address of a database; nil if not given.
  var storeFile: String?
  /// Address of a replica for reads; nil if not given.
  var readReplica: String?
  /// File with the address of a replica; nil if not given.
  var readReplicaFile: String?
  /// Storage of pictures outside of the store; nil for that of the environment, else none.
  var pictures: PictureStorageLocation?
  /// Whether clients are redirected to the storage for pictures.
  var redirectsPictures = false
  /// Whether a database address in the arguments may contain a password.
  var allowsOpenPassword = false
  /// Maximum seconds to wait for the database at the start.
  var waitSeconds = 60
  /// Seconds for which requests are still accepted after the stop signal.
  var drainSeconds = 0
  /// Dialect for paths that several dialects share; nil is the latest.
  var api: String?
  /// Base address in responses; nil uses the client's `Host`.
  var publicURL: String?
  /// Further names by which a server at a private address may be asked.
  var allowedHosts: [String] = []
  /// New name of the market; empty removes it, nil leaves it unchanged.
  var marketName: String?
  /// Address for ssh guests, shown on pages; nil if not given.
  var guests: GuestAddress?
  /// Whether HTML and terminal pages are served beside the API.
  var hasPages = true
  /// Whether buyers can report products and questions.
  var takesReports = true
  /// Whether pages for photos from telephones are served, if the public address is https.
  var hasUploads = true
  /// Time zone of the market's days; nil is that of TZ, else Asia/Seoul.
  var timeZone: String?
  var trustsProxy = false
  /// Address that serves the metrics to all clients; nil serves them at `address` to this machine only.
  var metricsAddress: HostAndPort?
  var logFormat = LogFormat.text
  /// Limits on growth and searches.
  var admission = AdmissionLimits()
  /// Maximum number of change subscriptions, in total and from one network.
  var watchers = ServerLimits().watchers
  var watchersPerAddress = ServerLimits().watchersOfAddress
  var check = Check.none
  /// Whether the configuration is checked instead of serving.
  var checksConfiguration = false
  var operating = OperatorValues()
  /// Language of help and messages, and of pages for clients that accept none of ours.
  var language = Language.english

  var strings: Strings { Strings(language) }

  /// Public address of pages for photos; nil if there are none.
  var uploadAddress: WebAddress? {
    guard hasUploads, let address = publicURL.flatMap({ WebAddress($0) }),
      address.origin.scheme == .https
    else { return nil }
    return address
  }

  /// Picture storage of the options, else of the environment; nil if there is none.
  var pictureStorageLocation: PictureStorageLocation? {
    pictures
      ?? Environment.value(of: PictureStorageLocation.variable).flatMap(PictureStorageLocation.init)
  }

  /// Origin of the storage that clients are redirected to; nil if they are not.
  var announcedStorage: WebAddress.Origin? {
    guard redirectsPictures, case .bucket(let address) = pictureStorageLocation else { return nil }
    return address.endpoint.origin
  }

  /// Time zone of the market's days.
  var marketTimeZone: MarketTimeZone { MarketTimeZone(timeZone) }

  /// Checks the options of pictures.
  /// - Throws: `.badValue` for an invalid storage in the environment, `.said` for redirects without a
  ///   bucket.
  func checkPictures() throws(CommandLineError) {
    if pictures == nil, let word = Environment.value(of: PictureStorageLocation.variable),
      PictureStorageLocation(word) == nil
    {
      throw .badValue(
        option: PictureStorageLocation.variable, value: word,
        expected: ValueKind<PictureStorageLocation>.pictureStorageLocation.shape.expectation)
    }
    guard redirectsPictures, announcedStorage == nil else { return }
    throw .said(.redirectsWithoutBucket)
  }

  /// Location of the market.
  /// - Throws: `.contradiction` for both `--store` and `--store-file`, `.said` for an unusable address
  ///   or file.
  func location() throws(CommandLineError) -> StoreLocation {
    if let storeFile {
      guard storePath == nil else { throw .contradiction("--store", "--store-file") }
      return try DatabaseAddressFile(path: storeFile).location()
    }
    guard let storePath else { return .file(DefaultStore.path) }
    do throws(StoreLocation.Mistake) {
      return try StoreLocation(argument: storePath, allowsPassword: allowsOpenPassword)
    } catch {
      throw .said(Self.phrase(for: error))
    }
  }

  /// Address of the replica; nil if there is none.
  /// - Throws: `.contradiction` for both options of the replica, `.said` for an unusable address or
  ///   file, or if either location is no database.
  func replicaAddress() throws(CommandLineError) -> String? {
    guard let replica = try replicaLocation() else { return nil }
    guard case .database(let address) = replica, case .database = try location() else {
      throw .said(.readReplicaNeedsDatabase)
    }
    return address
  }

  private func replicaLocation() throws(CommandLineError) -> StoreLocation? {
    if let readReplicaFile {
      guard readReplica == nil else {
        throw .contradiction("--read-replica", "--read-replica-file")
      }
      return try DatabaseAddressFile(path: readReplicaFile).location()
    }
    guard let readReplica else { return nil }
    do throws(StoreLocation.Mistake) {
      return try StoreLocation(argument: readReplica, allowsPassword: false)
    } catch {
      throw .said(error == .pairs ? .databasePairs : .readReplicaOpenPassword)
    }
  }

  private static func phrase(for mistake: StoreLocation.Mistake) -> Phrase {
    switch mistake {
    case .pairs: .databasePairs
    case .openPassword: .databaseOpenPassword
    }
  }
}

/// Definitions of the options.
extension ServerOptions {
  private static let waitLimit = 86_400
  /// Maximum of `--drain-timeout` in seconds: systemd kills a service 90 seconds after it asked it to
  /// stop.
  private static let drainLimit = 60
  private static let rateLimit = 60_000
  private static let watcherLimit = 100_000
  private static let productLimit = 1_000_000_000

  /// Options of the market's location.
  static var storeOptions: [Option<ServerOptions>] {
    [
      .value(
        "--store", .serveStore,
        .word("PATH|ADDRESS", suggestions: .files).expecting(.expectedStore),
        to: \.storePath),
      .value("--store-file", .serveStoreFile, .file(), to: \.storeFile),
      .value("--pictures", .servePictures, .pictureStorageLocation, to: \.pictures),
      .flag("--insecure-password-in-arguments", .serveInsecurePassword) {
        $0.allowsOpenPassword = true
      },
    ]
  }

  /// Options of serving.
  static var servingOptions: [Option<ServerOptions>] {
    [
      .value(
        "--read-replica", .serveReadReplica, .word("ADDRESS").expecting(.expectedDatabase),
        to: \.readReplica
      ),
      .value("--read-replica-file", .serveReadReplicaFile, .file(), to: \.readReplicaFile),
      listenOption,
      .value(
        "--startup-timeout", .serveWait, .number("SECONDS", in: 0...waitLimit), to: \.waitSeconds
      ),
      .value(
        "--drain-timeout", .serveDrain, .number("SECONDS", in: 0...drainLimit), to: \.drainSeconds
      ),
      .value("--api", .serveAPI, .oneOf(dialects), standard: dialects.first) { $0.api = $1 },
      .value(
        "--time-zone", .serveTimeZone, .word("NAME").expecting(.expectedTimeZone),
        to: \.timeZone),
      .value(
        "--public-url", .servePublicURL,
        .word("URL", where: isWebAddress).expecting(.expectedWebAddress), to: \.publicURL),
      .value(
        "--allow-host", .serveAllowHost,
        .word("NAME", where: isHostName).expecting(.expectedHostName)
      ) { $0.allowedHosts.append($1) },
      .value("--name", .serveName, .marketName, to: \.marketName),
      .flag("--picture-redirects", .servePictureRedirects) { $0.redirectsPictures = true },
      .flag("--trust-proxy", .serveTrustProxy) { $0.trustsProxy = true },
      .flag("--no-web", .serveNoWeb) { $0.hasPages = false },
      .flag("--no-reports", .serveNoReports) { $0.takesReports = false },
      .flag("--no-uploads", .serveNoUploads) { $0.hasUploads = false },
      .value("--ssh-address", .serveSSHAddress, .guestAddress, to: \.guests),
      .value("--quota", .serveQuota, .byteCount) { $0.admission.storeBytes = $1 },
      .value("--quota-products", .serveQuotaProducts, .number("N", in: 1...productLimit)) {
        $0.admission.storeProducts = $1
      },
      .value(
        "--rate", .serveRate, .number("N", in: 0...rateLimit),
        standard: AdmissionLimits().registrationsPerMinute.map(String.init)
      ) {
        $0.admission.registrationsPerMinute = $1 == 0 ? nil : $1
        if $1 == 0 { $0.admission.questionsPerHour = nil }
      },
      .value("--bytes-per-day", .serveBytesPerDay, .byteCount) { $0.admission.bytesPerDay = $1 },
      .value("--searches", .serveSearches, .number("N", in: 0...rateLimit)) {
        $0.admission.searchesPerMinute = $1 == 0 ? nil : $1
      },
      .value(
        "--max-concurrent-searches", .serveSearchesAtOnce, .number("N", in: 0...rateLimit),
        standard: AdmissionLimits().searchesAtOnce.map(String.init)
      ) { $0.admission.searchesAtOnce = $1 == 0 ? nil : $1 },
      .value("--max-watchers", .serveWatchers, .number("N", in: 0...watcherLimit), to: \.watchers),
      .value(
        "--max-watchers-per-address", .serveWatchersPerAddress,
        .number("N", in: 0...watcherLimit), to: \.watchersPerAddress
      ),
      .value("--metrics", .serveMetrics, .hostAndPort, to: \.metricsAddress),
      .value("--log-format", .serveLogFormat, ValueKind<LogFormat>.choice, to: \.logFormat),
      .optional("--check", .serveCheck, .checkedAddress) {
        $0.check = $1.map(ServerOptions.Check.address) ?? .own
      },
      .flag("--check-config", .serveCheckConfig) { $0.checksConfiguration = true },
    ]
  }

  static var listenOption: Option<ServerOptions> {
    .value("--listen", .serveListen, .hostAndPort, to: \.address)
  }

  static var languageOption: Option<ServerOptions> {
    .value("--language", .serveLanguage, ValueKind<Language>.choice, to: \.language)
  }

  /// Names of selectable dialects, the latest first.
  private static var dialects: [String] { DialectList.market.servedNames }

  private static func isHostName(_ text: String) -> Bool {
    (1...253).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        byte == 0x2D || byte == 0x2E || byte == 0x5F
          || Character(Unicode.Scalar(byte)).isLetter && byte < 0x80
          || (0x30...0x39).contains(byte)
      }
  }

  private static func isWebAddress(_ text: String) -> Bool {
    let starts = ["http://", "https://"].contains { text.hasPrefix($0) && text.count > $0.count }
    return starts && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x22 && $0 != 0x5C }
  }
}

extension ValueKind<PictureStorageLocation> {
  fileprivate static var pictureStorageLocation: ValueKind {
    ValueKind(
      "DIR|s3://BUCKET", suggestions: .files, read: PictureStorageLocation.init(_:), written: \.word
    )
    .expecting(.expectedPicturePlace)
  }
}

extension ValueKind<HostAndPort> {
  fileprivate static var hostAndPort: ValueKind {
    ValueKind("HOST:PORT", read: HostAndPort.init(_:), written: \.description)
      .expecting(.expectedHostAndPort)
  }
}

extension ValueKind<GuestAddress> {
  fileprivate static var guestAddress: ValueKind {
    ValueKind("HOST[:PORT][,KEY]", read: GuestAddress.init(_:), written: \.description)
      .expecting(.expectedGuestAddress)
  }
}

extension ValueKind<String> {
  /// Name of a market; empty removes it.
  fileprivate static var marketName: ValueKind {
    ValueKind("NAME", read: { TextLimit.marketName.allows($0) ? $0 : nil }, written: { $0 })
      .expecting(.expectedServedName)
  }

  /// Address of a server, with its scheme.
  fileprivate static var checkedAddress: ValueKind {
    ValueKind(
      "URL",
      read: { $0.hasPrefix("http://") ? $0 : HostAndPort($0).map { "http://\($0)" } },
      written: { $0 }
    )
    .expecting(.expectedHostAndPort)
  }
}

extension ValueKind<Int64> {
  /// Size in bytes: a positive number, optionally followed by K, M, G or T (powers of 1,024).
  fileprivate static var byteCount: ValueKind {
    ValueKind("SIZE", read: bytes, written: { String($0) }).expecting(.expectedSize)
  }

  private static func bytes(_ text: String) -> Int64? {
    let units: [Character: Int64] = ["K": 10, "M": 20, "G": 30, "T": 40]
    let shift = text.uppercased().last.flatMap { units[$0] }
    guard let count = Int64(shift == nil ? text : String(text.dropLast())), count > 0 else {
      return nil
    }
    let (bytes, isTooMuch) = count.multipliedReportingOverflow(by: 1 << (shift ?? 0))
    return isTooMuch ? nil : bytes
  }
}

/// File with the address of a database and its password; only its owner may have access.
struct DatabaseAddressFile {
  private static let byteLimit = 4_096

  let path: String

  /// Reads the location of the market.
  /// - Throws: `.said` if the file cannot be read, is accessible to others, or does not hold exactly
  ///   one database address.
  func location() throws(CommandLineError) -> StoreLocation {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw unreadable() }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw unreadable() }
    guard status.st_mode & S_IFMT == S_IFREG else { throw mistake(.databaseFileEmpty) }
    guard status.st_mode & 0o077 == 0 else { throw mistake(.databaseFileOpen) }
    var bytes = [UInt8](repeating: 0, count: Self.byteLimit)
    let count = pread(descriptor, &bytes, bytes.count, 0)
    guard count >= 0 else { throw unreadable() }
    let text = String(decoding: bytes[..<count], as: UTF8.self)
    let words = text.split(whereSeparator: \.isWhitespace).map(String.init)
    guard words.count == 1, case .database(let address) = StoreLocation(words[0]) else {
      throw mistake(.databaseFileEmpty)
    }
    return .database(address)
  }

  private func mistake(_ phrase: Phrase) -> CommandLineError { .said(phrase, path) }

  private func unreadable() -> CommandLineError {
    .said(.databaseFileUnreadable, SystemError.last.description)
  }
}

/// Market file that all programs use by default (XDG Base Directory Specification).
enum DefaultStore {
  /// `$XDG_DATA_HOME/market/market.sqlite`; its folder is created, accessible to its owner only.
  static var path: String {
    let folder = BaseFolders(of: "market").data
    // If the folder cannot be made, opening the file fails later.
    try? Folder.make(folder)
    return folder + "/market.sqlite"
  }
}
