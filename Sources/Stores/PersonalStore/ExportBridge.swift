/// Reading of exports of 0.2.0, whose rows fit the first version of the tables under other names.
enum ExportBridge {
  /// The version that such an export bears.
  static let version = 10

  /// Tables by their names in such an export, where these differ.
  private static let tables = [
    "history": "past_search", "sight": "seen_product", "viewed": "viewed_product",
    "kept_market": "favorite_market", "kept_product": "favorite_product",
    "kept_picture": "favorite_picture", "kept_seller": "favorite_seller", "wait": "alert",
    "wait_market": "alert_market", "hit": "triggered_alert",
  ]
  private static let favoriteColumns = [
    "kept": "added", "dropped": "removed", "noted": "note_changed",
  ]
  /// Columns by their names in such an export, by the table's name in the file.
  private static let columns = [
    "market": ["place": "key"],
    "visit": ["noted": "last_active"],
    "favorite_market": ["place": "location"],
    "favorite_product": favoriteColumns,
    "favorite_picture": ["kept": "favorite"],
    "favorite_seller": favoriteColumns,
    "alert": ["place": "location", "hundredths": "amount"],
    "triggered_alert": [
      "place": "location", "condition": "event", "below": "limit_amount",
      "below_currency": "limit_currency", "wait_name": "alert_name", "hundredths": "amount",
    ],
  ]

  /// A row of such an export under the names of the file.
  static func renamed(_ row: PersonalRow) -> PersonalRow {
    let table = tables[row.table] ?? row.table
    let names = columns[table] ?? [:]
    return PersonalRow(
      table: table, columns: row.columns.map { (names[$0.name] ?? $0.name, $0.value) })
  }
}
