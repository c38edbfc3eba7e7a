import MarketModel
import SQLiteKit

/// Table of password attempts.
///
/// - Throws: every call throws the `StoreError` of its statement.
package struct PasswordAttemptTable {
  /// Seconds for which the attempts of an origin are stored.
  private static let retentionSeconds: Int64 = 30 * 86_400
  /// Maximum number of rows deleted at once; more than are added between two deletions.
  private static let deletedAtOnce: Int64 = 100

  /// Rows that another server has locked are skipped.
  private static let deletingOld = DialectSQL { sql in
    """
    DELETE FROM password_attempt WHERE (product, origin) IN (
      SELECT product, origin FROM password_attempt WHERE last < $1 ORDER BY last
      LIMIT $2\(sql.locking("FOR UPDATE SKIP LOCKED")))
    """
  }

  let database: any MarketDatabase

  /// The attempts on a product by an origin; nil where there is no such product.
  ///
  /// Locks the product, so that no other transaction counts attempts on it until this one ends.
  func locked(
    on id: Product.ID, by origin: AttemptOrigin
  ) throws(StoreError) -> (key: AttemptKey, attempts: PasswordAttempts)? {
    let (own, open) = (
      AttemptKey(origin, on: id, isOwner: true), AttemptKey(origin, on: id, isOwner: false)
    )
    // Locked before it is read: joined rows would otherwise be those from before the wait.
    try database.lock("SELECT 1 FROM product WHERE id = $1 FOR UPDATE", [.integer(id.rawValue)])
    return try database.first(
      """
      SELECT wrong, last, trusted, coalesce(busy_until, 0),
        CASE WHEN seller.identifier = $4 THEN 0 ELSE 1 END
      FROM product JOIN seller ON seller.id = product.seller
      LEFT JOIN password_limit ON password_limit.product = product.id
      LEFT JOIN password_attempt ON password_attempt.product = product.id
        AND origin = CASE WHEN seller.identifier = $4 THEN $2 ELSE $3 END
      WHERE product.id = $1
      """,
      [
        .integer(id.rawValue), .blob(own.originHash), .blob(open.originHash),
        .blob(origin.author.sellerKey?.hash ?? []),
      ]
    ) { row in
      let key = row.integer(4) == 0 ? own : open
      let attempts = PasswordAttempts(
        wrongCount: row.integer(0), lastSeconds: row.integer(1), isTrusted: row.integer(2) != 0,
        busyUntilSeconds: row.integer(3), isOpenToStrangers: key.isOpenToStrangers)
      return (key, attempts)
    }
  }

  func save(_ attempts: PasswordAttempts, at key: AttemptKey, now: Int64) throws(StoreError) {
    let (product, origin) = (SQLValue.integer(key.product.rawValue), SQLValue.blob(key.originHash))
    try database.post(
      Self.deletingOld[database.dialect], .integer(now - Self.retentionSeconds),
      .integer(Self.deletedAtOnce))
    if attempts.wrongCount == 0, !attempts.isTrusted {
      try database.post(
        "DELETE FROM password_attempt WHERE product = $1 AND origin = $2", product, origin)
    } else {
      try database.post(
        """
        INSERT INTO password_attempt (product, origin, wrong, last, trusted)
        VALUES ($1, $2, $3, $4, $5)
        ON CONFLICT (product, origin) DO UPDATE SET
          wrong = excluded.wrong, last = excluded.last, trusted = excluded.trusted
        """, product, origin, .integer(attempts.wrongCount), .integer(attempts.lastSeconds),
        .integer(attempts.isTrusted ? 1 : 0))
    }
    guard key.isOpenToStrangers else { return }
    try database.post(
      """
      INSERT INTO password_limit (product, busy_until) VALUES ($1, $2)
      ON CONFLICT (product) DO UPDATE SET busy_until = excluded.busy_until
      """, product, .integer(attempts.busyUntilSeconds))
  }

  /// Deletes the attempts of all origins on a product.
  func deleteAll(on id: Product.ID) throws(StoreError) {
    try database.post("DELETE FROM password_attempt WHERE product = $1", .integer(id.rawValue))
    try database.post("DELETE FROM password_limit WHERE product = $1", .integer(id.rawValue))
  }
}
