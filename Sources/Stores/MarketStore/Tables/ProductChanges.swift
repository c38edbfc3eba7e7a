import MarketModel
import SQLiteKit
import StoreCore

/// Writer of products: inserts, changes and deletes them with all that belongs to them.
package struct ProductChanges: ProductWriting {
  private static let insertion = """
    INSERT INTO product (\(ProductColumn.inserted.names))
    VALUES (\(ProductColumn.inserted.marks)) ON CONFLICT (id) DO NOTHING
    """
  private static let insertionOfTexts = """
    INSERT INTO product_text (product, \(ProductColumn.insertedTexts.names))
    VALUES (?, \(ProductColumn.insertedTexts.marks))
    """
  private static let change = """
    UPDATE product SET \(ProductColumn.changed.assignments), version = version + 1 WHERE id = ?
    """
  private static let changeOfTexts = """
    UPDATE product_text SET \(ProductColumn.changedTexts.assignments) WHERE product = ?
    """

  private let connection: SQLiteConnection
  private let pictures: Pictures
  private let blocks: BlockCounts
  private let index: SearchIndex

  init(_ connection: SQLiteConnection) {
    self.connection = connection
    pictures = Pictures(connection)
    blocks = BlockCounts(connection)
    index = SearchIndex(connection)
  }

  /// Inserts a product that is still to be counted.
  ///
  /// Where its number is taken it gets the next one. Returns its number.
  func insert(
    _ product: StoredProduct, tokens: String, counting tally: inout ProductTally
  ) throws(DatabaseError) -> Int64 {
    if try !insertRow(product) {
      var next = product
      next.id = nil
      _ = try insertRow(next)
    }
    let id = connection.lastInsertedKey
    try connection.run(
      Self.insertionOfTexts, [.integer(id)] + ProductColumn.insertedTexts.values(of: product))
    try pictures.place(product.pictures, in: id)
    try index.add(id, tokens)
    tally.count(product, id: id)
    return id
  }

  /// Inserts a product; false where the number is taken.
  private func insertRow(_ product: StoredProduct) throws(DatabaseError) -> Bool {
    try connection.run(Self.insertion, ProductColumn.inserted.values(of: product)) > 0
  }

  /// Adds counts to those of the file.
  func record(_ tally: ProductTally) throws(DatabaseError) {
    for block in tally.blockCounts {
      try blocks.count(
        level: block.level, number: block.number, state: block.state, by: block.count)
    }
    for (picture, uses) in tally.pictureUses { try pictures.use(picture, by: uses) }
    for (password, uses) in tally.passwordUses {
      try connection.run(
        "UPDATE password SET uses = uses + ? WHERE id = ?", .integer(uses), .integer(password))
    }
  }

  /// Keeps a password's hash, and gives its key.
  func keep(passwordHash: String) throws(DatabaseError) -> Int64 {
    try connection.run("INSERT INTO password (hash) VALUES (?)", .text(passwordHash))
    return connection.lastInsertedKey
  }

  package func apply(
    _ patch: ProductPatch, to old: ProductDetail, files: [StoredPicture], now: Int64,
    tokenizer grams: ProductGrams
  ) throws(DatabaseError) -> ProductDetail? {
    let id = old.id.rawValue
    var new = old
    new.change(by: patch)
    let oldTexts = try index.texts(of: old.id).orDamaged()
    try update(old, to: new, now: now)
    if new.product.state != old.product.state {
      try blocks.count(id, state: old.product.state, by: -1)
      try blocks.count(id, state: new.product.state, by: 1)
    }
    if let change = patch.pictures { try replacePictures(of: old, by: change, files: files) }
    var newTexts = oldTexts
    (newTexts.name, newTexts.description) = (new.product.name, new.description)
    if newTexts != oldTexts { try index.change(id, from: oldTexts, to: newTexts, grams) }
    guard let changed = try ProductQueries(connection).detail(of: old.id) else { return nil }
    try LogTable(connection).note(.changed, changed)
    return changed
  }

  private func update(
    _ old: ProductDetail, to new: ProductDetail, now: Int64
  ) throws(DatabaseError) {
    let id = SQLValue.integer(old.id.rawValue)
    let (before, after) = (StoredProduct(old, changed: now), StoredProduct(new, changed: now))
    if new.product.pricing.price != nil {
      try connection.run(Self.change, ProductColumn.changed.values(of: after) + [id])
    }
    if !ProductColumn.changedTexts.areSame(before, after) {
      try connection.run(Self.changeOfTexts, ProductColumn.changedTexts.values(of: after) + [id])
    }
  }

  private func replacePictures(
    of old: ProductDetail, by change: ProductPatch.Pictures, files: [StoredPicture]
  ) throws(DatabaseError) {
    let id = old.id.rawValue
    let keys = try change.keys(over: old.pictures, files: files) { file throws(DatabaseError) in
      try pictures.keep(file)
    }
    try pictures.detach(from: id)
    try pictures.place(keys, in: id)
    for key in keys { try pictures.use(key, by: 1) }
    try connection.run(
      "UPDATE product SET thumbnail = ? WHERE id = ?", .integer(orNull: keys.first), .integer(id))
    try pictures.deleteUnused(among: old.pictures)
  }

  package func setPassword(of id: Product.ID, toHash hash: String) throws(DatabaseError) {
    try releasePassword(of: id.rawValue)
    let password = try keep(passwordHash: hash)
    try connection.run("UPDATE password SET uses = 1 WHERE id = ?", .integer(password))
    try connection.run(
      "UPDATE product SET password = ? WHERE id = ?", .integer(password), .integer(id.rawValue))
  }

  /// Takes a product off those that share its password, which goes with the last of them.
  private func releasePassword(of id: Int64) throws(DatabaseError) {
    try connection.run(
      "UPDATE password SET uses = uses - 1 WHERE id = (SELECT password FROM product WHERE id = ?)",
      .integer(id))
    try connection.run(
      """
      DELETE FROM password WHERE uses = 0 AND id = (SELECT password FROM product WHERE id = ?)
      """, .integer(id))
  }

  package func delete(_ detail: ProductDetail, tokenizer grams: ProductGrams) throws(DatabaseError)
  {
    let id = detail.id.rawValue
    let texts = try index.texts(of: detail.id).orDamaged()
    try pictures.detach(from: id)
    try releasePassword(of: id)
    try connection.run("DELETE FROM product WHERE id = ?", .integer(id))
    try blocks.count(id, state: detail.product.state, by: -1)
    try index.change(id, from: texts, to: nil, grams)
    try pictures.deleteUnused(among: detail.pictures)
  }
}

/// Tally of what new products add to a store's counts, so that each count is written once.
struct ProductTally {
  private struct BlockState: Hashable {
    let level: Int
    let number: Int64
    let state: Int
  }

  fileprivate private(set) var pictureUses: [Int64: Int64] = [:]
  fileprivate private(set) var passwordUses: [Int64: Int64] = [:]
  private var blocks: [BlockState: Int64] = [:]

  mutating func count(_ product: StoredProduct, id: Int64) {
    for (level, shift) in ProductBlocks.shifts.enumerated() {
      let state = BlockState(level: level, number: id >> shift, state: product.state)
      blocks[state, default: 0] += 1
    }
    for picture in product.pictures { pictureUses[picture, default: 0] += 1 }
    passwordUses[product.password, default: 0] += 1
  }

  fileprivate var blockCounts: [(level: Int, number: Int64, state: Int, count: Int64)] {
    blocks.map { ($0.key.level, $0.key.number, $0.key.state, $0.value) }
  }
}

extension ProductColumns {
  fileprivate var marks: String { all.map { _ in "?" }.joined(separator: ", ") }

  fileprivate var assignments: String { all.map { $0.name + " = ?" }.joined(separator: ", ") }

  /// What the columns hold of a product.
  fileprivate func values(of product: StoredProduct) -> [SQLValue] {
    all.map { column in
      switch column.content {
      case .integer(let get, _): .integer(orNull: get(product))
      case .text(_, let get, _): .text(get(product))
      case .bytes(_, let get, _): get(product).map { .blob($0) } ?? .null
      }
    }
  }
}
