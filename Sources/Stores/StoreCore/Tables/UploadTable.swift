import MarketModel
import SQLiteKit

/// Tables of the pages to which telephones send photos, and of these photos.
///
/// - Throws: every call throws the `StoreError` of its statement.
package struct UploadTable {
  /// Seconds after the form's last request at which a page ends.
  static let seconds = Int64(60 * UploadLimits.minutes)
  /// Maximum number of pages deleted at once.
  private static let deletedAtOnce: Int64 = 100

  private static let old = DialectSQL { sql in
    """
    SELECT id FROM upload WHERE used < $1 ORDER BY used
    LIMIT $2\(sql.locking("FOR UPDATE SKIP LOCKED"))
    """
  }
  private static let overwriting = DialectSQL { sql in
    "UPDATE uploaded_photo SET bytes = \(sql.zeros("size")) WHERE upload = $1 AND state IS NULL"
  }
  private static let overwritingOne = DialectSQL { sql in
    """
    UPDATE uploaded_photo SET bytes = \(sql.zeros("size"))
    WHERE id = $1 AND upload = $2 AND state IS NULL
    """
  }

  /// Open page.
  struct Page {
    let id: Int64
    let photoCount: Int64
    let byteCount: Int64
  }

  let database: any MarketDatabase

  func insert(_ token: [UInt8], by owner: [UInt8], now: Int64) throws(StoreError) {
    try deleteOld(now: now)
    try database.post(
      "INSERT INTO upload (token, owner, used) VALUES ($1, $2, $3)", .blob(token), .blob(owner),
      .integer(now))
  }

  private static let ofToken =
    " FROM upload WHERE token = $1 AND used >= $2 AND (owner = $3 OR CAST($4 AS int) = 0)"
  private static let locking = SQL(once: "SELECT 1" + ofToken + " FOR UPDATE")
  private static let reading = SQL(once: "SELECT id, photos, bytes" + ofToken)

  /// Open page of a token, of one owner, or of any for nil; nil where there is none.
  func page(_ token: [UInt8], by owner: [UInt8]?, now: Int64) throws(StoreError) -> Page? {
    try database.first(Self.reading, values(token, owner, now)) { row in
      Page(id: row.integer(0), photoCount: row.integer(1), byteCount: row.integer(2))
    }
  }

  /// The same page, locked until the end of the transaction.
  func locked(_ token: [UInt8], by owner: [UInt8]?, now: Int64) throws(StoreError) -> Page? {
    try database.lock(Self.locking, values(token, owner, now))
    return try page(token, by: owner, now: now)
  }

  private func values(_ token: [UInt8], _ owner: [UInt8]?, _ now: Int64) -> [SQLValue] {
    [
      .blob(token), .integer(now - Self.seconds), .blob(owner ?? []),
      .integer(owner == nil ? 0 : 1),
    ]
  }

  /// Records a request of the form.
  func touch(_ page: Page, now: Int64) throws(StoreError) {
    try database.post(
      "UPDATE upload SET used = $2 WHERE id = $1", .integer(page.id), .integer(now))
  }

  /// Adds a photo and returns its number.
  func insert(_ photo: UploadedPhoto, to page: Page) throws(StoreError) -> Int64 {
    try database.post(
      "UPDATE upload SET photos = photos + 1, bytes = bytes + $2 WHERE id = $1",
      .integer(page.id), .integer(Int64(photo.bytes.count)))
    let id = try database.first(
      """
      INSERT INTO uploaded_photo (upload, name, size, bytes) VALUES ($1, $2, $3, $4) RETURNING id
      """,
      [
        .integer(page.id), .text(photo.name), .integer(Int64(photo.bytes.count)),
        .blob(photo.bytes),
      ]
    ) { $0.integer(0) }
    return try id.orDamaged()
  }

  /// Whether the form has taken a photo of a page; nil before it has decided.
  func state(of photo: Int64, on page: Page) throws(StoreError) -> Bool? {
    let state = try database.integer(
      "SELECT coalesce(state, -1) FROM uploaded_photo WHERE id = $1 AND upload = $2",
      .integer(photo), .integer(page.id))
    return state.flatMap { $0 < 0 ? nil : $0 == 1 }
  }

  func waiting(on page: Page, after last: Int64) throws(StoreError) -> [WaitingUpload] {
    try database.all(
      """
      SELECT id, name, size FROM uploaded_photo WHERE upload = $1 AND id > $2 AND state IS NULL
      ORDER BY id
      """, [.integer(page.id), .integer(last)]
    ) { row in
      WaitingUpload(id: row.integer(0), name: row.text(1, .uploadName), bytes: row.integer(2))
    }
  }

  /// Bytes of a photo; nil where the page has none of that number.
  func bytes(of photo: Int64, on page: Page) throws(StoreError) -> [UInt8]? {
    let bytes = try database.first(
      "SELECT bytes FROM uploaded_photo WHERE id = $1 AND upload = $2 AND state IS NULL",
      [.integer(photo), .integer(page.id)]
    ) { $0.bytes(0, atMost: UploadLimits.photoBytes) }
    return bytes ?? nil
  }

  /// Deletes the bytes of a photo; false where the page has none of that number.
  func end(_ photo: Int64, on page: Page, isTaken: Bool) throws(StoreError) -> Bool {
    try database.post(Self.overwritingOne[database.dialect], .integer(photo), .integer(page.id))
    return try database.count(
      "UPDATE uploaded_photo SET bytes = $3, state = $4 WHERE id = $1 AND upload = $2",
      [.integer(photo), .integer(page.id), .blob([]), .integer(isTaken ? 1 : 0)]) > 0
  }

  func delete(_ page: Page) throws(StoreError) { try delete(page.id) }

  private func delete(_ page: Int64) throws(StoreError) {
    try database.post(Self.overwriting[database.dialect], .integer(page))
    try database.post("DELETE FROM upload WHERE id = $1", .integer(page))
  }

  /// Deletes pages whose time is over; those that another server has locked are skipped.
  func deleteOld(now: Int64) throws(StoreError) {
    let old = try database.all(
      Self.old[database.dialect], [.integer(now - Self.seconds), .integer(Self.deletedAtOnce)]
    ) { $0.integer(0) }
    for page in old { try delete(page) }
  }

  /// Deletes all pages, as in a copy of the market.
  package func deleteAll() throws(StoreError) { try database.post("DELETE FROM upload") }
}
