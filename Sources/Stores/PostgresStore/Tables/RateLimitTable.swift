import MarketModel
import SQLiteKit
import StoreCore

/// Table of what addresses have used up of their limits, by the database's clock: those of servers may
/// differ.
struct RateLimitTable {
  /// Nanoseconds since 1970.
  private static let now = "(extract(epoch FROM clock_timestamp()) * 1000000000)::bigint"
  /// One use in so many makes room of what nobody needs any more.
  private static let cleaningOdds = 256
  private static let cleanedRows: Int64 = 1_000

  private let connection: PostgresConnection

  init(_ connection: PostgresConnection) {
    self.connection = connection
  }

  /// Adds a use, and gives the nanoseconds until nothing is used up any more; now and then what is free
  /// again goes first.
  func add(
    _ use: RateLimitUsage, isCleaning: Bool = Int.random(in: 0..<Self.cleaningOdds) == 0
  ) throws(StoreError) -> Int64 {
    if isCleaning { try clean() }
    return try connection.run(
      """
      INSERT INTO use_count AS known (kind, origin, busy_until) VALUES ($1, $2, \(Self.now) + $3)
      ON CONFLICT (kind, origin) DO UPDATE
        SET busy_until = greatest(known.busy_until, \(Self.now)) + $3
      RETURNING greatest(busy_until - \(Self.now), 0)
      """,
      [
        .integer(use.limit.rawValue), .blob(ContentHash.of(use.address)), .integer(use.cost),
      ]
    ).first?.integer(0) ?? 0
  }

  private func clean() throws(StoreError) {
    try connection.post(
      """
      DELETE FROM use_count WHERE (kind, origin) IN (
        SELECT kind, origin FROM use_count WHERE busy_until < \(Self.now) LIMIT $1)
      """, [.integer(Self.cleanedRows)])
  }
}
