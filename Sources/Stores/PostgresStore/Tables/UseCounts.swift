import MarketModel
import StoreCore

/// Table of what addresses have used up of their limits.
struct UseCounts {
  /// One use in so many makes room of what nobody needs any more.
  private static let cleaningOdds = 256
  private static let cleanedRows: Int64 = 1_000

  private let connection: PostgresConnection

  init(_ connection: PostgresConnection) {
    self.connection = connection
  }

  /// Adds a use, and gives the time at which nothing is used up any more; now and then what is free
  /// again goes first.
  func add(
    _ use: SharedUse, isCleaning: Bool = Int.random(in: 0..<Self.cleaningOdds) == 0
  ) throws(PostgresError) -> Int64 {
    if isCleaning { try clean(use) }
    return try connection.run(
      """
      INSERT INTO use_count AS known (kind, origin, busy_until) VALUES ($1, $2, $3 + $4)
      ON CONFLICT (kind, origin) DO UPDATE
        SET busy_until = greatest(known.busy_until, $3) + $4
      RETURNING busy_until
      """,
      [
        .integer(use.limit.rawValue), .bytes(ContentHash.of(use.address)), .integer(use.now),
        .integer(use.cost),
      ]
    ).first?.integer(0) ?? 0
  }

  private func clean(_ use: SharedUse) throws(PostgresError) {
    try connection.post(
      """
      DELETE FROM use_count WHERE (kind, origin) IN (
        SELECT kind, origin FROM use_count WHERE busy_until < $1 LIMIT $2)
      """, [.integer(use.now), .integer(Self.cleanedRows)])
  }
}
