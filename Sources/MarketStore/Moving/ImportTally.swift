import MarketModel
import SQLiteKit

/// What a portion adds to the counts that a store keeps, so that each count is written once.
struct ImportTally {
  private struct BlockState: Hashable {
    let level: Int
    let number: Int64
    let state: Int
  }

  /// Keys of the portion's pictures by the names that its products use.
  var pictures: [String: Int64] = [:]
  var pictureNames: [String: String] = [:]
  fileprivate private(set) var pictureUses: [Int64: Int64] = [:]
  fileprivate private(set) var passwordUses: [Int64: Int64] = [:]
  private var blocks: [BlockState: Int64] = [:]

  mutating func count(
    _ product: ArchivedProduct, id: Int64, pictures: [Int64], password: Int64
  ) {
    let state = (product.stock > 0 ? 1 : 0) + (product.price.isReduced ? 2 : 0)
    for (level, shift) in ProductBlocks.shifts.enumerated() {
      blocks[BlockState(level: level, number: id >> shift, state: state), default: 0] += 1
    }
    for picture in pictures { pictureUses[picture, default: 0] += 1 }
    passwordUses[password, default: 0] += 1
  }

  fileprivate var blockCounts: [(level: Int, number: Int64, state: Int, count: Int64)] {
    blocks.map { ($0.key.level, $0.key.number, $0.key.state, $0.value) }
  }
}

extension Connection {
  /// Adds a portion's counts to those of the file.
  func record(_ tally: ImportTally) throws(DatabaseError) {
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
