import MarketModel
import StoreCore

extension PostgresConnection {
  package func highestProductID() throws(PostgresError) -> Int64 {
    try run("SELECT last_value FROM product_id_seq WHERE is_called").first?.count(0) ?? 0
  }

  /// A number for each row: its own where that may be kept, that is where no product has it and none
  /// of this market has had it; new ones above all those otherwise.
  func ids(for rows: [ImportRow<SearchableText>], _ memory: ImportMemory) throws(PostgresError)
    -> [Int64]
  {
    let wanted = rows.map { memory.keptID(of: $0.product) }
    var taken = Set(
      try run("SELECT id FROM product WHERE id = ANY ($1)", [.integers(wanted.compactMap(\.self))])
        .map { $0.integer(0) })
    let kept = wanted.map { id in id.flatMap { taken.insert($0).inserted ? $0 : nil } }
    if let last = kept.compactMap(\.self).max() { try pass(last, in: "product_id_seq") }
    var new = try newProductIDs(kept.count { $0 == nil })[...]
    return kept.map { $0 ?? new.popFirst() ?? 0 }
  }

  /// Makes a sequence go on behind a number that it has not given.
  func pass(_ number: Int64, in sequence: String) throws(PostgresError) {
    try post(
      """
      SELECT setval('\(sequence)', $1) FROM \(sequence) WHERE last_value < $1 OR NOT is_called
      """, [.integer(number)])
  }
}
