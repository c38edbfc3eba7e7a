import MarketModel
import SQLiteKit
import StoreCore

/// Table of used-up rate limits by address and limit, on the database's clock, since those of servers may
/// differ.
struct RateLimitTable {
  /// Nanoseconds since 1970.
  private static let now = "(extract(epoch FROM clock_timestamp()) * 1000000000)::bigint"
  /// One in this many uses deletes expired rows.
  private static let cleaningOdds = 256
  private static let cleanedRows: Int64 = 1_000

  private let connection: PostgresConnection

  init(_ connection: PostgresConnection) {
    self.connection = connection
  }

  /// Adds a use, and returns the nanoseconds until the limit is unused again; some calls first delete
  /// expired rows.
  /// - Throws: the statement's `StoreError`.
  func add(
    _ use: RateLimitUsage, isCleaning: Bool = Int.random(in: 0..<Self.cleaningOdds) == 0
  ) throws(StoreError) -> Int64 {
    if isCleaning { try clean() }
    return try connection.run(
      """
      INSERT INTO rate_limit AS known (kind, origin, busy_until) VALUES ($1, $2, \(Self.now) + $3)
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
      DELETE FROM rate_limit WHERE (kind, origin) IN (
        SELECT kind, origin FROM rate_limit WHERE busy_until < \(Self.now) LIMIT $1)
      """, [.integer(Self.cleanedRows)])
  }
}
