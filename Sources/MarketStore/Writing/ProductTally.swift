import SQLiteKit
import StoreCore

/// What new products add to the counts that a store keeps, so that each count is written once.
struct ProductTally {
  private struct BlockState: Hashable {
    let level: Int
    let number: Int64
    let state: Int
  }

  fileprivate private(set) var pictureUses: [Int64: Int64] = [:]
  fileprivate private(set) var passwordUses: [Int64: Int64] = [:]
  private var blocks: [BlockState: Int64] = [:]

  mutating func count(_ product: ProductRecord, id: Int64) {
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

extension Connection {
  /// Adds counts to those of the file.
  func record(_ tally: ProductTally) throws(DatabaseError) {
    for block in tally.blockCounts {
      try count(level: block.level, number: block.number, state: block.state, by: block.count)
    }
    for (picture, uses) in tally.pictureUses {
      try run("UPDATE picture SET uses = uses + ? WHERE id = ?", .integer(uses), .integer(picture))
    }
    for (password, uses) in tally.passwordUses {
      try run(
        "UPDATE password SET uses = uses + ? WHERE id = ?", .integer(uses), .integer(password))
    }
  }
}
