import CommandKit
import MarketClient
import MarketModel
import MarketStrings
import PictureKit
import PostgresStore
import SafeTextKit
import StoreCore

/// Replica that the server may read from.
struct ReplicaConfiguration {
  let address: String
  /// Location of the market.
  let location: StoreLocation
  let strings: Strings

  /// Opens the replica; problems are printed, and reads go to the primary then.
  ///
  /// Nil if the market is not on PostgreSQL.
  /// - Throws: `Mistake.otherMarket` if the replica holds another market, `RepositoryError` if the
  ///   picture storage cannot be used.
  func open(
    for market: any ServedMarket, _ pictures: PictureStorageLocation?,
    redirecting isRedirecting: Bool,
    _ registry: MetricsRegistry
  ) async throws -> PostgresReplica? {
    guard let primary = market as? PostgresMarketStore, case .database(let store) = location else {
      return nil
    }
    switch await PostgresReplica.inspect(at: address, following: store) {
    case .follows?, nil: break
    case .otherMarket?: throw Mistake.otherMarket
    case let found?: Console.warn(found.sentence(strings))
    }
    let outside = try pictures?.pictures(
      registry, redirecting: isRedirecting, bucket: BucketStorage.connected)
    let replica = PostgresReplica(
      at: address, following: primary, pictureProcessor: UploadPreparer(),
      options: StoreLocation.databaseOptions(outside, registry))
    replica.begin()
    return replica
  }

  /// Reason not to start.
  enum Mistake: Error {
    case otherMarket
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
