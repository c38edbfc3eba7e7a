import MarketModel
import StoreCore

/// Counts attempts of passwords.
package struct Attempts: AttemptKeeping {
  /// How long it is known where a try came from.
  private static let memorySeconds: Int64 = 30 * 86_400

  private let connection: PostgresConnection

  init(_ connection: PostgresConnection) {
    self.connection = connection
  }

  package func lock(on id: Product.ID) throws(PostgresError) -> Bool? {
    try connection.run(
      """
      SELECT CASE WHEN seller.identifier IS NULL THEN 1::bigint ELSE 0::bigint END
      FROM product JOIN seller ON seller.id = product.seller
      WHERE product.id = $1 FOR UPDATE OF product
      """, [.integer(id.rawValue)]
    ).first.map { $0.integer(0) != 0 }
  }

  package func attempts(at place: AttemptPlace) throws(PostgresError) -> PasswordAttempts {
    let product = PostgresValue.integer(place.product.rawValue)
    let answers = try connection.run([
      PostgresStatement("SELECT busy_until FROM password_siege WHERE product = $1", [product]),
      PostgresStatement(
        "SELECT wrong, last, trusted FROM password_try WHERE product = $1 AND origin = $2",
        [product, .bytes(place.originHash)]),
    ])
    let busyUntil = answers[0].first?.integer(0) ?? 0
    let (own, isOpen) = (answers[1].first, place.isOpenToStrangers)
    return own?.attempts(busyUntilSeconds: busyUntil, isOpenToStrangers: isOpen)
      ?? PasswordAttempts(busyUntilSeconds: busyUntil, isOpenToStrangers: isOpen)
  }

  package func keep(_ attempts: PasswordAttempts, at place: AttemptPlace, now: Int64)
    throws(PostgresError)
  {
    let product = PostgresValue.integer(place.product.rawValue)
    let origin = PostgresValue.bytes(place.originHash)
    try connection.post(
      "DELETE FROM password_try WHERE product = $1 AND last < $2",
      [product, .integer(now - Self.memorySeconds)])
    if attempts.wrongCount == 0, !attempts.isTrusted {
      try connection.post(
        "DELETE FROM password_try WHERE product = $1 AND origin = $2", [product, origin])
    } else {
      try connection.post(
        """
        INSERT INTO password_try (product, origin, wrong, last, trusted)
        VALUES ($1, $2, $3, $4, $5)
        ON CONFLICT (product, origin) DO UPDATE SET
          wrong = excluded.wrong, last = excluded.last, trusted = excluded.trusted
        """,
        [
          product, origin, .integer(attempts.wrongCount), .integer(attempts.lastSeconds),
          .integer(attempts.isTrusted ? 1 : 0),
        ])
    }
    guard place.isOpenToStrangers else { return }
    try connection.post(
      """
      INSERT INTO password_siege (product, busy_until) VALUES ($1, $2)
      ON CONFLICT (product) DO UPDATE SET busy_until = excluded.busy_until
      """, [product, .integer(attempts.busyUntilSeconds)])
  }
}
