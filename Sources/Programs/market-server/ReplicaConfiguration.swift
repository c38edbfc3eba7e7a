import CommandKit
import MarketClient
import MarketModel
import MarketStrings
import PictureKit
import PostgresStore
import SafeTextKit
import StoreCore

/// The standby that reads of a server may go to.
struct ReplicaConfiguration {
  let address: String
  /// Where the market itself is.
  let location: StoreLocation
  let strings: Strings

  /// Opens it for a market; what is amiss with it is told, and reads go to the market then.
  ///
  /// Throws `.otherMarket`.
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

  /// Reason not to serve.
  enum Mistake: Error {
    case otherMarket
  }
}

extension ReplicaInspection {
  /// What was found, in one sentence that repeats nothing of an address.
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
