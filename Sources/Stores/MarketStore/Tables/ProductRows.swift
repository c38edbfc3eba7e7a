import MarketModel
import SQLiteKit
import StoreCore

/// Writer of many new products.
///
/// Every call throws the `StoreError` of its statement.
struct ProductRows {
  private static let insertion = SQL(
    once: """
      INSERT INTO product (\(ProductColumns.inserted.names))
      VALUES (\(ProductColumns.inserted.marks(from: 1))) ON CONFLICT (id) DO NOTHING
      """)

  private let database: SQLiteDatabase

  init(_ database: SQLiteDatabase) {
    self.database = database
  }

  /// Inserts a product and returns its id, which is the next one where its own is taken; the caller
  /// writes the `tally`.
  func insert(
    _ product: StoredProduct, _ text: IndexText, counting tally: inout ProductTally
  ) throws(StoreError) -> Product.ID {
    if try !insertRow(product) {
      var next = product
      next.id = nil
      _ = try insertRow(next)
    }
    let id = Product.ID(rawValue: database.lastInsertedKey)
    try database.changes.insertTexts(of: product, id)
    try database.pictures.attach(product.pictures, to: id.rawValue)
    try database.addToIndex(id, text, of: Seller.ID(rawValue: product.seller))
    tally.count(product, id: id.rawValue)
    return id
  }

  /// Inserts a product; false where its id is taken.
  private func insertRow(_ product: StoredProduct) throws(StoreError) -> Bool {
    try database.count(Self.insertion, ProductColumns.inserted.values(of: product)) > 0
  }

  /// Inserts a password hash and returns its key; the caller writes its use count.
  func keep(passwordHash: String) throws(StoreError) -> Int64 {
    try database.run("INSERT INTO password (hash) VALUES ($1)", .text(passwordHash))
    return database.lastInsertedKey
  }

  /// Adds a tally to the counts in the file.
  func record(_ tally: ProductTally) throws(StoreError) {
    for block in tally.blockCounts {
      try BlockCounts(database).count(
        level: block.level, number: block.number, state: block.state, by: block.count)
    }
    for (password, uses) in tally.passwordUses {
      try database.run(
        "UPDATE password SET uses = uses + $1 WHERE id = $2", .integer(uses), .integer(password))
    }
  }
}

/// Changes that new products make to a store's counts, so that each count is written once.
struct ProductTally {
  private struct BlockState: Hashable {
    let level: Int
    let number: Int64
    let state: Int
  }

  fileprivate private(set) var passwordUses: [Int64: Int64] = [:]
  private var blocks: [BlockState: Int64] = [:]

  mutating func count(_ product: StoredProduct, id: Int64) {
    for (level, shift) in ProductBlocks.shifts.enumerated() {
      let state = BlockState(level: level, number: id >> shift, state: product.state)
      blocks[state, default: 0] += 1
    }
    passwordUses[product.password, default: 0] += 1
  }

  fileprivate var blockCounts: [(level: Int, number: Int64, state: Int, count: Int64)] {
    blocks.map { ($0.key.level, $0.key.number, $0.key.state, $0.value) }
  }
}
