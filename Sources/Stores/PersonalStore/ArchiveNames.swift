/// Names of tables and columns in an archive, where they differ from those of the personal file.
///
/// Every name that a released version wrote stays readable.
enum ArchiveNames {
  static let tables = [
    "past_search": "history", "seen_product": "sight", "viewed_product": "viewed",
    "favorite_market": "kept_market", "favorite_product": "kept_product",
    "favorite_picture": "kept_picture", "favorite_seller": "kept_seller", "alert": "wait",
    "alert_market": "wait_market", "triggered_alert": "hit",
  ]

  /// Columns by the name of their table in the file.
  static let columns = [
    "market": ["key": "place"],
    "visit": ["last_active": "noted"],
    "favorite_market": ["location": "place"],
    "favorite_product": ["added": "kept", "removed": "dropped", "note_changed": "noted"],
    "favorite_picture": ["favorite": "kept"],
    "favorite_seller": ["added": "kept", "removed": "dropped", "note_changed": "noted"],
    "alert": ["location": "place", "amount": "hundredths"],
    "triggered_alert": [
      "location": "place", "event": "condition", "limit_amount": "below",
      "limit_currency": "below_currency", "alert_name": "wait_name", "amount": "hundredths",
    ],
  ]
}
