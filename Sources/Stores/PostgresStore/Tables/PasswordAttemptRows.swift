import MarketModel
import StoreCore

/// Counter of password attempts.
package struct PasswordAttemptRows: PasswordAttemptTable {
  /// Time for which the origin of a try is remembered.
  private static let memorySeconds: Int64 = 30 * 86_400

  private let connection: PostgresConnection

  init(_ connection: PostgresConnection) {
    self.connection = connection
  }

  private static func lock(on id: PostgresValue) -> PostgresStatement {
    PostgresStatement(
      """
      SELECT CASE WHEN seller.identifier IS NULL THEN 1::bigint ELSE 0::bigint END
      FROM product JOIN seller ON seller.id = product.seller
      WHERE product.id = $1 FOR UPDATE OF product
      """, [id])
  }

  /// All at once: the tries at both places, of which the product's seller says which one counts.
  package func held(
    on id: Product.ID, by origin: AttemptOrigin
  ) throws(PostgresError) -> LockedAttempts? {
    let product = PostgresValue.integer(id.rawValue)
    let places = [false, true].map { AttemptKey(origin, on: id, isOpen: $0) }
    let answers = try connection.run(
      [
        Self.lock(on: product),
        PostgresStatement("SELECT busy_until FROM password_siege WHERE product = $1", [product]),
      ]
        + places.map { key in
          PostgresStatement(
            "SELECT wrong, last, trusted FROM password_try WHERE product = $1 AND origin = $2",
            [product, .bytes(key.originHash)])
        })
    guard let lock = answers[0].first else { return nil }
    let which = lock.integer(0) == 0 ? 0 : 1
    let (key, own) = (places[which], answers[2 + which].first)
    let busyUntil = answers[1].first?.integer(0) ?? 0
    let isOpen = key.isOpenToStrangers
    return LockedAttempts(
      key: key,
      attempts: own?.attempts(busyUntilSeconds: busyUntil, isOpenToStrangers: isOpen)
        ?? PasswordAttempts(busyUntilSeconds: busyUntil, isOpenToStrangers: isOpen))
  }

  package func keep(_ attempts: PasswordAttempts, at key: AttemptKey, now: Int64)
    throws(PostgresError)
  {
    let product = PostgresValue.integer(key.product.rawValue)
    let origin = PostgresValue.bytes(key.originHash)
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
    guard key.isOpenToStrangers else { return }
    try connection.post(
      """
      INSERT INTO password_siege (product, busy_until) VALUES ($1, $2)
      ON CONFLICT (product) DO UPDATE SET busy_until = excluded.busy_until
      """, [product, .integer(attempts.busyUntilSeconds)])
  }

  package func forget(on id: Product.ID) throws(PostgresError) {
    for table in ["password_try", "password_siege"] {
      try connection.post("DELETE FROM \(table) WHERE product = $1", [.integer(id.rawValue)])
    }
  }
}
