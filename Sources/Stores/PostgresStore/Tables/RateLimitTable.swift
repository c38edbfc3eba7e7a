import MarketModel
import SQLiteKit
import StoreCore

/// Table of used-up rate limits by address and limit, on the database's clock, since those of servers may
/// differ.
extension PostgresConnection {
  /// Nanoseconds since 1970.
  private static let nanoseconds = "(extract(epoch FROM clock_timestamp()) * 1000000000)::bigint"
  /// One in this many uses deletes expired rows.
  private static let usesBetweenDeletions = 256
  private static let deletedAtOnce: Int64 = 1_000

  /// Adds a use, and returns the nanoseconds until the limit is unused again; some calls first delete
  /// expired rows.
  func add(
    _ use: RateLimitUsage,
    deletingExpired isDeleting: Bool = Int.random(in: 0..<PostgresConnection.usesBetweenDeletions)
      == 0
  ) throws(StoreError) -> Int64 {
    if isDeleting {
      try post(
        """
        DELETE FROM rate_limit WHERE (kind, origin) IN (
          SELECT kind, origin FROM rate_limit WHERE busy_until < \(Self.nanoseconds) LIMIT $1)
        """, [.integer(Self.deletedAtOnce)])
    }
    return try integer(
      """
      INSERT INTO rate_limit AS known (kind, origin, busy_until)
      VALUES ($1, $2, \(Self.nanoseconds) + $3)
      ON CONFLICT (kind, origin) DO UPDATE
        SET busy_until = greatest(known.busy_until, \(Self.nanoseconds)) + $3
      RETURNING greatest(busy_until - \(Self.nanoseconds), 0)
      """, .integer(use.limit.rawValue), .blob(ContentHash.of(use.address)), .integer(use.cost))
      ?? 0
  }
}
