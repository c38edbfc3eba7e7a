/// Part of a list that is on the screen, and the selection in it: pure numbers, the same for a grid
/// of cards and for a list, which is a grid of one column.
package struct Viewport: Hashable, Sendable {
  /// Cards side by side; 1 in a list.
  package private(set) var columns = 1
  /// Whole rows of cards that fit.
  package private(set) var visibleRows = 1
  /// Rows by which a step scrolls that leaves the screen: more than one where each scrolling has to
  /// draw much anew.
  package private(set) var scrollStep = 1
  /// First row on the screen.
  package private(set) var topRow = 0
  /// Index of the selected product; meaningless while `count` is 0.
  package private(set) var selected = 0
  package private(set) var count = 0

  package init() {}

  package enum Move: Hashable, Sendable {
    case left, right, up, down
    case pageUp, pageDown, halfPageUp, halfPageDown
    case first, last
  }

  /// Indices of the products on whole rows of the screen.
  package var visible: Range<Int> { indices(ofRows: visibleRows) }

  /// Indices of what is on the screen with one more row, which may be cut at the bottom.
  package var visibleWithCutRow: Range<Int> { indices(ofRows: visibleRows + 1) }

  private func indices(ofRows rows: Int) -> Range<Int> {
    let start = min(topRow * columns, count)
    return start..<min(start + rows * columns, count)
  }

  package mutating func move(_ move: Move) {
    let distance = distance(of: move)
    switch move {
    case .left, .right, .up, .down: step(distance)
    case .pageUp, .pageDown, .halfPageUp, .halfPageDown: jump(by: distance)
    case .first: select(0)
    case .last: select(count - 1)
    }
  }

  /// How many products a move leads on; 0 for those to an end of the list.
  package func distance(of move: Move) -> Int {
    switch move {
    case .left: -1
    case .right: 1
    case .up: -columns
    case .down: columns
    case .pageUp: -visibleRows * columns
    case .pageDown: visibleRows * columns
    case .halfPageUp: -max(1, visibleRows / 2) * columns
    case .halfPageDown: max(1, visibleRows / 2) * columns
    case .first, .last: 0
    }
  }

  /// Selects a product and scrolls no more than is needed to see it.
  package mutating func select(_ index: Int) {
    selected = index.clamped(to: 0...max(0, count - 1))
    reveal()
  }

  /// Scrolls by rows without changing the selection more than is needed to keep it in sight.
  package mutating func scroll(by rows: Int) {
    topRow = (topRow + rows).clamped(to: 0...lastTopRow)
    let row = selected / columns
    let nearest = row.clamped(to: topRow...(topRow + visibleRows - 1))
    selected = (selected + (nearest - row) * columns).clamped(to: 0...max(0, count - 1))
  }

  /// Takes another shape on, after a resize or a switch between grid and list.
  ///
  /// The selected product stays selected, and about as far from the top as it was.
  package mutating func reshape(columns: Int, visibleRows: Int, scrollStep: Int = 1) {
    self.scrollStep = scrollStep.clamped(to: 1...max(1, visibleRows))
    guard columns != self.columns || visibleRows != self.visibleRows else { return }
    let distance = Double(selected / self.columns - topRow) / Double(self.visibleRows)
    self.columns = max(1, columns)
    self.visibleRows = max(1, visibleRows)
    topRow = selected / self.columns - Int(distance * Double(self.visibleRows))
    reveal()
  }

  /// Follows rows that came or went: the selected product is now at `selected`, and stays where it is
  /// on the screen.
  package mutating func didChange(count: Int, selected: Int) {
    let shift = selected / columns - self.selected / columns
    self.count = count
    self.selected = selected.clamped(to: 0...max(0, count - 1))
    if topRow > 0 { topRow += shift }
    reveal()
  }

  /// Goes back to the top with nothing but the first selected.
  package mutating func reset(count: Int) {
    self.count = count
    selected = 0
    topRow = 0
  }
}

extension Viewport {
  private var lastTopRow: Int {
    let rows = (count + columns - 1) / columns
    return max(0, rows - visibleRows)
  }

  /// A single step; one that would leave the list stays where it is, but a short last row is reached.
  private mutating func step(_ distance: Int) {
    let target = selected + distance
    guard target >= 0 else { return }
    if target < count {
      scrollStep(to: target)
    } else if selected / columns < (count - 1) / columns {
      scrollStep(to: count - 1)
    }
  }

  /// Selects a product; where that is beyond the edge of the screen it scrolls by a leap at once.
  private mutating func scrollStep(to index: Int) {
    let row = index / columns
    if row < topRow {
      topRow = max(0, row - scrollStep + 1)
    } else if row >= topRow + visibleRows {
      topRow = row - visibleRows + scrollStep
    }
    select(index)
  }

  /// A jump by a page keeps the selected row's place on the screen where it can.
  private mutating func jump(by distance: Int) {
    guard count > 0 else { return }
    let target = selected + distance
    topRow = (topRow + distance / columns).clamped(to: 0...lastTopRow)
    select(target)
  }

  private mutating func reveal() {
    let row = selected / columns
    if row < topRow { topRow = row }
    if row >= topRow + visibleRows { topRow = row - visibleRows + 1 }
    topRow = topRow.clamped(to: 0...lastTopRow)
  }
}

nonisolated extension Int {
  /// The nearest number within a range.
  package func clamped(to range: ClosedRange<Int>) -> Int {
    Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
  }
}
