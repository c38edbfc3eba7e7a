import MarketModel
import SQLiteKit
import StoreCore

/// Counter of password attempts.
package struct PasswordAttemptRows: PasswordAttemptTable {
  /// Time for which the origin of a try is remembered.
  private static let memorySeconds: Int64 = 30 * 86_400

  private let connection: SQLiteConnection

  init(_ connection: SQLiteConnection) {
    self.connection = connection
  }

  /// Whoever writes has the file for itself.
  package func held(
    on id: Product.ID, by origin: AttemptOrigin
  ) throws(DatabaseError) -> LockedAttempts? {
    guard let isOpen = try isOpen(id) else { return nil }
    let key = AttemptKey(origin, on: id, isOpen: isOpen)
    return LockedAttempts(key: key, attempts: try attempts(at: key))
  }

  /// Whether nobody can sign in as the seller of a product.
  private func isOpen(_ id: Product.ID) throws(DatabaseError) -> Bool? {
    try connection.integer(
      """
      SELECT seller.identifier IS NULL FROM product JOIN seller ON seller.id = product.seller
      WHERE product.id = ?
      """, .integer(id.rawValue)
    ).map { $0 != 0 }
  }

  private func attempts(at key: AttemptKey) throws(DatabaseError) -> PasswordAttempts {
    let busyUntil =
      try connection.integer(
        "SELECT busy_until FROM password_siege WHERE product = ?",
        .integer(key.product.rawValue)) ?? 0
    let own = try connection.first(
      "SELECT wrong, last, trusted FROM password_try WHERE product = ? AND origin = ?",
      [.integer(key.product.rawValue), .blob(key.originHash)]
    ) { row in
      row.attempts(busyUntilSeconds: busyUntil, isOpenToStrangers: key.isOpenToStrangers)
    }
    return own
      ?? PasswordAttempts(busyUntilSeconds: busyUntil, isOpenToStrangers: key.isOpenToStrangers)
  }

  package func keep(_ attempts: PasswordAttempts, at key: AttemptKey, now: Int64)
    throws(DatabaseError)
  {
    let product = SQLValue.integer(key.product.rawValue)
    try connection.run(
      "DELETE FROM password_try WHERE last < ?", .integer(now - Self.memorySeconds))
    if attempts.wrongCount == 0, !attempts.isTrusted {
      try connection.run(
        "DELETE FROM password_try WHERE product = ? AND origin = ?",
        product, .blob(key.originHash))
    } else {
      try connection.run(
        """
        INSERT INTO password_try (product, origin, wrong, last, trusted) VALUES (?, ?, ?, ?, ?)
        ON CONFLICT DO UPDATE SET
          wrong = excluded.wrong, last = excluded.last, trusted = excluded.trusted
        """,
        product, .blob(key.originHash), .integer(attempts.wrongCount),
        .integer(attempts.lastSeconds), .integer(attempts.isTrusted ? 1 : 0))
    }
    guard key.isOpenToStrangers else { return }
    try connection.run(
      """
      INSERT INTO password_siege (product, busy_until) VALUES (?, ?)
      ON CONFLICT DO UPDATE SET busy_until = excluded.busy_until
      """, product, .integer(attempts.busyUntilSeconds))
  }

  package func forget(on id: Product.ID) throws(DatabaseError) {
    for table in ["password_try", "password_siege"] {
      try connection.run("DELETE FROM \(table) WHERE product = ?", .integer(id.rawValue))
    }
  }
}
