import MarketModel
import StoreCore

/// By how much the counts of blocks change.
struct BlockChanges {
  private struct Block: Hashable, Comparable {
    let level: Int64
    let number: Int64

    static func < (left: Block, right: Block) -> Bool {
      (left.level, left.number) < (right.level, right.number)
    }
  }

  private var counts: [Block: [Int64]] = [:]

  init() {}

  /// What changes with one product.
  init(of id: Product.ID, _ changes: [(state: Int, by: Int64)]) {
    for change in changes { count(id.rawValue, in: change.state, by: change.by) }
  }

  /// Counts a product in (`+1`) or out (`-1`) of the blocks of its id.
  mutating func count(_ id: Int64, in state: Int, by change: Int64 = 1) {
    for (level, shift) in ProductBlocks.shifts.enumerated() {
      let block = Block(level: Int64(level), number: id >> shift)
      counts[block, default: [0, 0, 0, 0]][state] += change
    }
  }

  /// Level, number and the four counts of each block, column by column; always in one order, so
  /// that no two transactions wait for each other.
  var columns: [PostgresValue] {
    let blocks = counts.sorted { $0.key < $1.key }
    return [.integers(blocks.map(\.key.level)), .integers(blocks.map(\.key.number))]
      + (0...3).map { state in .integers(blocks.map { $0.value[state] }) }
  }
}
