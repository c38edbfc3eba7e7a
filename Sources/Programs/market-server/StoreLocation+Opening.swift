import Glibc
import MarketClient
import MarketModel
import MarketStore
import MarketStrings
import PictureKit
import PostgresStore
import SafeTextKit
import StoreCore

extension StoreLocation {
  /// Opens the market, or creates it if there is none; `isRedirecting` permits redirects to the picture
  /// storage.
  /// - Throws: what the store's `open` throws, and `.store` if the picture storage cannot be used.
  func open(
    _ pictures: PictureStorageLocation?, redirecting isRedirecting: Bool = false,
    _ registry: MetricsRegistry = MetricsRegistry()
  ) async throws(RepositoryError) -> any StoredMarket {
    let outside = try pictures?.pictures(
      registry, redirecting: isRedirecting, bucket: BucketStorage.connected)
    switch self {
    case .file(let path):
      return try await Self.openFile(path, outside, registry)
    case .database(let address):
      return try await PostgresMarketStore.open(
        at: address, pictureProcessor: InstrumentedPictureProcessor(Self.preparers(), registry),
        options: Self.databaseOptions(outside, registry))
    }
  }

  /// Options of the stores on PostgreSQL, also of the replica.
  static func databaseOptions(
    _ outside: ExternalPictures?, _ registry: MetricsRegistry
  ) -> PostgresMarketStore.Options {
    var options = PostgresMarketStore.Options(
      makeFile: { path throws(RepositoryError) in
        try await Self.openFile(path, nil, MetricsRegistry())
      },
      passwordLanes: .served)
    options.registry = registry
    options.outside = outside
    return options
  }

  /// One processor for each core; four use 256 MB at most.
  private static func preparers() -> PictureProcessorPool {
    let cores = sysconf(Int32(_SC_NPROCESSORS_ONLN))
    return PictureProcessorPool((0..<min(4, max(1, cores))).map { _ in UploadPreparer() })
  }

  private static func openFile(
    _ path: String, _ outside: ExternalPictures?, _ registry: MetricsRegistry
  ) async throws(RepositoryError) -> SQLiteStore {
    var options = SQLiteStore.Options(
      createsFile: true, passwordLanes: .served)
    options.registry = registry
    options.outside = outside
    return try await SQLiteStore.open(
      at: path, pictureProcessor: InstrumentedPictureProcessor(Self.preparers(), registry),
      options: options)
  }

  /// Opens the market, and waits up to `seconds` for a database that does not answer yet;
  /// `didStartWaiting` is called once, with the reason.
  /// - Throws: what `open(_:redirecting:_:)` throws last.
  func open(
    waiting seconds: Int, _ pictures: PictureStorageLocation?, redirecting isRedirecting: Bool,
    _ registry: MetricsRegistry, didStartWaiting: (String) -> Void
  ) async throws(RepositoryError) -> any StoredMarket {
    let end = ContinuousClock.now + .seconds(seconds)
    var isFirst = true
    while true {
      do throws(RepositoryError) {
        return try await open(pictures, redirecting: isRedirecting, registry)
      } catch {
        guard case .store(.unavailable(let reason)) = error, ContinuousClock.now < end else {
          throw error
        }
        if isFirst { didStartWaiting(reason) }
        isFirst = false
      }
      try? await Task.sleep(for: Self.openingPause)
    }
  }

  /// Pause between two attempts to open a database.
  private static let openingPause = Duration.milliseconds(500)

  /// Sentence about an error, without the address of a database.
  func sentence(on error: RepositoryError, _ strings: Strings) -> SafeText {
    switch self {
    case .file(let path): strings(.movingFile, SafeText(path), ErrorText.text(error, strings))
    case .database: Self.databaseSentence(on: error, strings)
    }
  }

  private static func databaseSentence(on error: RepositoryError, _ strings: Strings) -> SafeText {
    switch error {
    case .unreachable: strings[.databaseUnresponsive]
    case .store(.cannotOpen), .store(.unavailable), .store(.unconfirmed),
      .store(.picturesUnavailable):
      strings(.databaseCannotOpen, SafeText(error.reason))
    case .store(.otherEncoding(let name)): strings(.databaseEncoding, SafeText(name))
    case .store(.locked): strings[.databaseBusy]
    case .store(.readOnly): strings[.databaseReadOnly]
    case .store(.diskFull): strings[.databaseFull]
    case .store(.newerVersion): strings[.databaseNewer]
    case .store(.beforeFirstRelease): strings[.databaseBeforeFirstRelease]
    case .store(.failed(let code)):
      strings(.databaseFailed, SafeText(StoreFailure.sqlState(of: code)))
    default: ErrorText.text(error, strings)
    }
  }
}

extension ReplicaInspection {
  /// Result of the check in one sentence, without the address.
  func sentence(_ strings: Strings) -> SafeText {
    switch self {
    case .follows(let time):
      strings(.readReplicaFollows, SafeText(Int(time / .milliseconds(1)) + 1))
    case .lags: strings[.readReplicaLags]
    case .followsNobody: strings[.readReplicaFollowsNobody]
    case .otherMarket: strings[.readReplicaOther]
    case .silent(let error):
      strings(.readReplicaUnresponsive, StoreLocation.database("").sentence(on: error, strings))
    }
  }
}
