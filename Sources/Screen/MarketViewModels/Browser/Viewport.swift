/// Visible part of a list and the selection in it, as numbers; a list is a grid of one column.
package struct Viewport: Hashable, Sendable {
  /// Cards side by side; 1 in a list.
  package private(set) var columns = 1
  /// Whole rows that fit on the screen, at least 1.
  package private(set) var visibleRows = 1
  /// Rows by which a step off the screen scrolls, at least 1: more where each scroll has to redraw
  /// much.
  package private(set) var scrollStep = 1
  /// First row on the screen, from 0.
  package private(set) var topRow = 0
  /// Index of the selected product; meaningless while `count` is 0.
  package private(set) var selected = 0
  package private(set) var count = 0

  package init() {}

  /// Move of the selection.
  package enum Move: Hashable, Sendable {
    case left, right, up, down
    case pageUp, pageDown, halfPageUp, halfPageDown
    case first, last
  }

  /// Indices of the products on the whole rows of the screen.
  package var visible: Range<Int> { indices(ofRows: visibleRows) }

  /// Indices of `visible` and one more row, which may be cut at the bottom.
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

  /// Number of products that a move advances, negative for backwards; 0 for `.first` and `.last`.
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

  /// Selects a product, clamped to the list, and scrolls as little as needed to show it.
  package mutating func select(_ index: Int) {
    selected = index.clamped(to: 0...max(0, count - 1))
    reveal()
  }

  /// Selects an earlier product; one that is off the screen comes into the last whole row but one.
  mutating func goBack(to index: Int) {
    if index < visible.lowerBound {
      topRow = 0
      select(index + columns)
    }
    select(index)
  }

  /// Scrolls by rows, clamped to the list; the selection moves as little as needed to stay visible.
  package mutating func scroll(by rows: Int) {
    topRow = (topRow + rows).clamped(to: 0...lastTopRow)
    let row = selected / columns
    let nearest = row.clamped(to: topRow...(topRow + visibleRows - 1))
    selected = (selected + (nearest - row) * columns).clamped(to: 0...max(0, count - 1))
  }

  /// Sets the layout, after a resize or a switch between grid and list; values below 1 count as 1.
  ///
  /// The selected product stays selected, at about the same distance from the top.
  package mutating func reshape(columns: Int, visibleRows: Int, scrollStep: Int = 1) {
    self.scrollStep = scrollStep.clamped(to: 1...max(1, visibleRows))
    guard columns != self.columns || visibleRows != self.visibleRows else { return }
    let distance = Double(selected / self.columns - topRow) / Double(self.visibleRows)
    self.columns = max(1, columns)
    self.visibleRows = max(1, visibleRows)
    topRow = selected / self.columns - Int(distance * Double(self.visibleRows))
    reveal()
  }

  /// Adjusts to added or removed rows: the selected product is now at `selected` and stays at its
  /// place on the screen.
  package mutating func didChange(count: Int, selected: Int) {
    let shift = selected / columns - self.selected / columns
    self.count = count
    self.selected = selected.clamped(to: 0...max(0, count - 1))
    if topRow > 0 { topRow += shift }
    reveal()
  }

  /// Selects the first product and scrolls to the top.
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

  /// Moves by one step; beyond the end it does nothing, except that a short last row is reached.
  private mutating func step(_ distance: Int) {
    let target = selected + distance
    guard target >= 0 else { return }
    if target < count {
      scrollStep(to: target)
    } else if selected / columns < (count - 1) / columns {
      scrollStep(to: count - 1)
    }
  }

  /// Selects a product; off the screen it scrolls by `scrollStep`.
  private mutating func scrollStep(to index: Int) {
    let row = index / columns
    if row < topRow {
      topRow = max(0, row - scrollStep + 1)
    } else if row >= topRow + visibleRows {
      topRow = row - visibleRows + scrollStep
    }
    select(index)
  }

  /// Moves by a page; the selected row keeps its place on the screen if possible.
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
  /// The nearest value within a range.
  package func clamped(to range: ClosedRange<Int>) -> Int {
    Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
  }
}
