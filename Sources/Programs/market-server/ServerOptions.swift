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

/// Typed values of the server program's options.
struct ServerOptions: OperatorCommandValues, Hashable, Sendable {
  /// Whether a server is asked instead of serving.
  enum Check: Hashable {
    case none
    /// The one that would listen where this one would.
    case own
    case address(String)
  }

  var address = HostAndPort(host: "127.0.0.1", port: 8_080)
  /// Another file than the default store, or the address of a database.
  var storePath: String?
  /// A file that holds the address of a database.
  var storeFile: String?
  /// The address of a standby of the database, which reads may go to.
  var replicaConfiguration: String?
  /// A file that holds that address.
  var readStoreFile: String?
  /// Where the files of pictures are that are not in the store.
  var pictures: PictureStorageLocation?
  /// Whether clients fetch pictures from their storage itself.
  var redirectsPictures = false
  /// Whether a password may stand in the arguments.
  var allowsOpenPassword = false
  /// How long a database is waited for at the start.
  var waitSeconds = 60
  /// How long requests are still taken once the server is to stop.
  var drainSeconds = 0
  /// The dialect that is answered in where several read the same paths; nil is the latest.
  var api: String?
  /// What addresses in answers begin with, where it is not what the client asked.
  var publicURL: String?
  /// A name for the market; empty takes it away, nil leaves the one that it has.
  var marketName: String?
  /// Where guests come in over ssh, for pages to say.
  var guests: GuestAddress?
  /// Whether there are pages for people beside the API.
  var hasPages = true
  /// The time zone of the market's days; nil is that of TZ, else Asia/Seoul.
  var timeZone: String?
  var trustsProxy = false
  /// Where the metrics are told to everybody; nil tells them to programs on this machine alone.
  var metricsAddress: HostAndPort?
  var logFormat = LogFormat.text
  /// How much the market takes in.
  var admission = AdmissionLimits()
  /// How many clients may watch what changes, in all and from one address.
  var watchers = ServerLimits().watchers
  var watchersPerAddress = ServerLimits().watchersOfAddress
  var check = Check.none
  /// Whether everything that starting needs is looked at instead of serving.
  var checksConfiguration = false
  var operating = OperatorValues()
  /// The language of help, of what moving says, of why a market cannot be served, and of pages for
  /// whoever asks for none.
  var language = Language.english

  var strings: Strings { Strings(language) }

  /// Where pictures outside are: as the options say, else the environment.
  var pictureStorageLocation: PictureStorageLocation? {
    pictures
      ?? Environment.value(of: PictureStorageLocation.variable).flatMap(PictureStorageLocation.init)
  }

  /// The origin of the storage that clients are redirected to for pictures; nil for none.
  var announcedStorage: WebAddress.Origin? {
    guard redirectsPictures, case .bucket(let address) = pictureStorageLocation else { return nil }
    return address.endpoint.origin
  }

  /// The time zone in whose days products are dated.
  var marketTimeZone: MarketTimeZone { MarketTimeZone(timeZone) }

  /// Throws where the environment names no place for pictures, or they are to be redirected to what has
  /// no addresses of its own.
  func checkPictures() throws(CommandLineError) {
    if pictures == nil, let word = Environment.value(of: PictureStorageLocation.variable),
      PictureStorageLocation(word) == nil
    {
      throw .badValue(
        option: PictureStorageLocation.variable, value: word,
        expected: ValueKind<PictureStorageLocation>.pictureStorageLocation.expectation)
    }
    guard redirectsPictures, announcedStorage == nil else { return }
    throw .said(.redirectsWithoutBucket)
  }

  /// Finds out where the market is.
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

  /// Finds out where reads may go to; nil where all go to the market itself.
  func readAddress() throws(CommandLineError) -> String? {
    guard let replica = try readPlace() else { return nil }
    guard case .database(let address) = replica, case .database = try location() else {
      throw .said(.readReplicaNeedsDatabase)
    }
    return address
  }

  private func readPlace() throws(CommandLineError) -> StoreLocation? {
    if let readStoreFile {
      guard replicaConfiguration == nil else {
        throw .contradiction("--read-replica", "--read-replica-file")
      }
      return try DatabaseAddressFile(path: readStoreFile).location()
    }
    guard let replicaConfiguration else { return nil }
    do throws(StoreLocation.Mistake) {
      return try StoreLocation(argument: replicaConfiguration, allowsPassword: false)
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

/// The options on a command line.
extension ServerOptions {
  private static let waitLimit = 86_400
  /// Systemd kills after 90 seconds what it has asked to end.
  private static let drainLimit = 60
  private static let rateLimit = 60_000
  private static let watcherLimit = 100_000
  private static let productLimit = 1_000_000_000

  /// Where the market is.
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

  /// How it is served.
  static var servingOptions: [Option<ServerOptions>] {
    [
      .value(
        "--read-replica", .serveReadReplica, .word("ADDRESS").expecting(.expectedDatabase),
        to: \.replicaConfiguration
      ).formerly("--read-store"),
      .value("--read-replica-file", .serveReadReplicaFile, .file(), to: \.readStoreFile)
        .formerly("--read-store-file"),
      .value("--listen", .serveListen, .hostAndPort, to: \.address),
      .value(
        "--startup-timeout", .serveWait, .number("SECONDS", in: 0...waitLimit), to: \.waitSeconds
      ).formerly("--wait"),
      .value(
        "--drain-timeout", .serveDrain, .number("SECONDS", in: 0...drainLimit), to: \.drainSeconds
      ).formerly("--drain"),
      .value("--api", .serveAPI, .oneOf(dialects), standard: dialects.first) { $0.api = $1 },
      .value(
        "--time-zone", .serveTimeZone, .word("NAME").expecting(.expectedTimeZone),
        to: \.timeZone),
      .value(
        "--public-url", .servePublicURL,
        .word("URL", where: isWebAddress).expecting(.expectedWebAddress), to: \.publicURL),
      .value("--name", .serveName, .marketName, to: \.marketName),
      .flag("--picture-redirects", .servePictureRedirects) { $0.redirectsPictures = true },
      .flag("--trust-proxy", .serveTrustProxy) { $0.trustsProxy = true },
      .flag("--no-web", .serveNoWeb) { $0.hasPages = false },
      .value("--ssh-address", .serveSSHAddress, .guestAddress, to: \.guests),
      .value("--quota", .serveQuota, .byteCount) { $0.admission.storeBytes = $1 },
      .value("--quota-products", .serveQuotaProducts, .number("N", in: 1...productLimit)) {
        $0.admission.storeProducts = $1
      },
      .value(
        "--max-registrations-per-minute", .serveRate, .number("N", in: 0...rateLimit),
        standard: AdmissionLimits().registrationsPerMinute.map(String.init)
      ) {
        $0.admission.registrationsPerMinute = $1 == 0 ? nil : $1
        if $1 == 0 { $0.admission.questionsPerHour = nil }
      }.formerly("--rate"),
      .value("--bytes-per-day", .serveBytesPerDay, .byteCount) { $0.admission.bytesPerDay = $1 },
      .value("--searches", .serveSearches, .number("N", in: 0...rateLimit)) {
        $0.admission.searchesPerMinute = $1 == 0 ? nil : $1
      },
      .value(
        "--max-concurrent-searches", .serveSearchesAtOnce, .number("N", in: 0...rateLimit),
        standard: AdmissionLimits().searchesAtOnce.map(String.init)
      ) { $0.admission.searchesAtOnce = $1 == 0 ? nil : $1 }.formerly("--searches-at-once"),
      .value("--max-watchers", .serveWatchers, .number("N", in: 0...watcherLimit), to: \.watchers)
        .formerly("--watchers"),
      .value(
        "--max-watchers-per-address", .serveWatchersPerAddress,
        .number("N", in: 0...watcherLimit), to: \.watchersPerAddress
      ).formerly("--watchers-per-address"),
      .value("--metrics", .serveMetrics, .hostAndPort, to: \.metricsAddress),
      .value("--log-format", .serveLogFormat, .logFormat, to: \.logFormat),
      .optional("--check", .serveCheck, .checkedAddress) {
        $0.check = $1.map(ServerOptions.Check.address) ?? .own
      },
      .flag("--check-config", .serveCheckConfig) { $0.checksConfiguration = true },
    ]
  }

  static var languageOption: Option<ServerOptions> {
    .value("--language", .serveLanguage, .language, to: \.language)
  }

  /// The dialects that make a difference, the latest first.
  private static var dialects: [String] { DialectList.market.servedNames }

  private static func isWebAddress(_ text: String) -> Bool {
    let starts = ["http://", "https://"].contains { text.hasPrefix($0) && text.count > $0.count }
    return starts && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x22 && $0 != 0x5C }
  }
}

extension ValueKind<Language> {
  fileprivate static var language: ValueKind { .choice }
}

extension ValueKind<LogFormat> {
  fileprivate static var logFormat: ValueKind { .choice }
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
  /// What a market may be called; nothing takes a name away.
  fileprivate static var marketName: ValueKind {
    ValueKind("NAME", read: { TextLimit.marketName.allows($0) ? $0 : nil }, written: { $0 })
      .expecting(.expectedServedName)
  }

  /// Where a server is asked, with its scheme.
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
  /// A size: a number above 0 of bytes, or of K, M, G or T (powers of 1,024).
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

/// A file that holds the address of a database with its password, for its owner's eyes alone.
struct DatabaseAddressFile {
  private static let byteLimit = 4_096

  let path: String

  /// Reads where the market is.
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

/// The market file that all programs of the market open unless told otherwise (XDG Base Directory
/// Specification).
enum DefaultStore {
  /// `$XDG_DATA_HOME/market/market.sqlite`, in a folder that is there and its owner's alone.
  static var path: String {
    let folder = BaseFolders(of: "market").data
    // What is missing in the end shows when the file is opened.
    try? Folder.make(folder)
    return folder + "/market.sqlite"
  }
}
