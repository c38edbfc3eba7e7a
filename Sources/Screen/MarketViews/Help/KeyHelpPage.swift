internal import TerminalKit

/// Layout of the help's entries under their headings, in one column or two: pure arithmetic.
struct KeyHelpPage {
  enum Line: Equatable {
    case heading(BindingGroup)
    /// The entry of this index.
    case entry(Int)
    case blank
  }

  /// The lines of each column.
  let columns: [[Line]]

  /// Lays out entries with these groups, which stand together.
  init(groups: [BindingGroup], columns count: Int) {
    let blocks = Self.blocks(groups)
    guard count > 1, blocks.count > 1 else {
      columns = [Self.joined(blocks)]
      return
    }
    // The cut that makes the page shortest; the left column may be the longer one.
    let cuts = (1..<blocks.count).map { cut in
      [Self.joined(blocks[..<cut]), Self.joined(blocks[cut...])]
    }
    columns = cuts.min { Self.height(of: $0) < Self.height(of: $1) } ?? []
  }

  var height: Int { Self.height(of: columns) }

  /// The row of an entry, counted from the top of its column.
  func row(of entry: Int) -> Int {
    columns.lazy.compactMap { $0.firstIndex(of: .entry(entry)) }.first ?? 0
  }

  private static func height(of columns: [[Line]]) -> Int { columns.map(\.count).max() ?? 0 }

  /// Each group's heading with its entries.
  private static func blocks(_ groups: [BindingGroup]) -> [[Line]] {
    var blocks: [[Line]] = []
    for (index, group) in groups.enumerated() {
      if index == 0 || groups[index - 1] != group { blocks.append([.heading(group)]) }
      blocks[blocks.count - 1].append(.entry(index))
    }
    return blocks
  }

  private static func joined(_ blocks: some Collection<[Line]>) -> [Line] {
    Array(blocks.joined(separator: [.blank]))
  }
}
