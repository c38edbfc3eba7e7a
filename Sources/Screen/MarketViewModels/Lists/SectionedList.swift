package import EditorKit

/// Section of a list: items with or without a heading.
package nonisolated struct ListSection<Heading, Item> {
  package let heading: Heading?
  package let items: [Item]

  package init(_ heading: Heading?, _ items: [Item]) {
    self.heading = heading
    self.items = items
  }

  package init(_ items: [Item]) { self.init(nil, items) }
}

extension Array {
  /// The sections without one item.
  func without<Heading, Item: Identifiable>(_ id: Item.ID) -> Self
  where Element == ListSection<Heading, Item> {
    map { section in ListSection(section.heading, section.items.filter { $0.id != id }) }
  }
}

extension ListSection: Equatable where Heading: Equatable, Item: Equatable {}
extension ListSection: Sendable where Heading: Sendable, Item: Sendable {}

/// List of items in sections, with selection, viewport and filter.
///
/// Items and rows are counted from 0; headings and blank rows between sections are rows, too.
package final class SectionedList<Heading: Hashable, Item: Identifiable & Hashable> {
  package enum Row {
    case heading(Heading)
    case blank
    case item(Item, number: Int)
  }

  /// Sections that passed the filter.
  @Observed package private(set) var sections: [ListSection<Heading, Item>] = []
  /// Whether `show` was called; before that the content is not known.
  @Observed package private(set) var isRead = false
  /// Counted in rows.
  @Observed package private(set) var viewport = Viewport()
  /// Words of the filter.
  @Observed package private(set) var filter = LineEditor(limit: maxFilterLength)
  /// Whether the next `show` selects the first item, because the filter has changed.
  private var selectsFirst = false
  /// Whether a blank row precedes each section but the first one.
  private let hasGaps: Bool
  /// Whether sections without items show their headings.
  private let showsEmptySections: Bool

  private static var maxFilterLength: Int { 100 }

  package init(hasGaps: Bool = false, showsEmptySections: Bool = false) {
    (self.hasGaps, self.showsEmptySections) = (hasGaps, showsEmptySections)
  }

  // MARK: Content

  package var count: Int { sections.reduce(0) { $0 + $1.items.count } }
  package var rowCount: Int { rowCount(of: sections) }
  package var isEmpty: Bool { sections.isEmpty }

  private func shown(
    _ sections: [ListSection<Heading, Item>]
  ) -> [ListSection<Heading, Item>] {
    sections.filter { !$0.items.isEmpty || showsEmptySections && $0.heading != nil }
  }

  /// Number of rows of sections.
  package func rowCount(of sections: [ListSection<Heading, Item>]) -> Int {
    let full = shown(sections)
    let headings = full.count { $0.heading != nil }
    return full.reduce(headings) { $0 + $1.items.count } + (hasGaps ? max(0, full.count - 1) : 0)
  }

  /// Sets the sections; the selected item stays selected, or one near its place.
  package func show(_ sections: [ListSection<Heading, Item>]) {
    isRead = true
    let full = shown(sections)
    let isFirst = selectsFirst || count == 0
    selectsFirst = false
    guard full != self.sections else { return isFirst ? select(number: 0) : () }
    let (old, oldNumber) = (selected?.id, selectedNumber)
    self.sections = full
    let kept = isFirst ? nil : old.flatMap(number)
    let number = isFirst ? 0 : kept ?? min(oldNumber ?? 0, max(0, count - 1))
    viewport.didChange(count: rowCount, selected: row(ofItem: number) ?? 0)
    select(number: number)
  }

  // MARK: Selection

  /// The selected item; nil if there is none.
  package var selected: Item? {
    if case .item(let item, _) = row(at: viewport.selected) { item } else { nil }
  }

  /// Index of the selected item; nil if there is none.
  package var selectedNumber: Int? {
    if case .item(_, let number) = row(at: viewport.selected) { number } else { nil }
  }

  /// Selects the item with an index, clamped.
  package func select(number: Int) {
    guard let row = row(ofItem: number.clamped(to: 0...max(0, count - 1))) else { return }
    // The heading of a section is shown with its first item.
    if row > 0, !isItem(row - 1) { viewport.select(row - 1) }
    viewport.select(row)
  }

  /// Selects an item by id; does nothing if there is none.
  package func select(_ id: Item.ID) { if let number = number(of: id) { select(number: number) } }

  /// Moves the selection by items or pages, clamped to the list.
  package func move(_ move: Viewport.Move, times: Int = 1) {
    guard let selectedNumber else { return }
    let times = max(1, min(times, count))
    switch move {
    case .left, .right: break
    case .first: select(number: 0)
    case .last: select(number: count - 1)
    case .up: select(number: selectedNumber - times)
    case .down: select(number: selectedNumber + times)
    case .pageUp, .pageDown, .halfPageUp, .halfPageDown:
      for _ in 0..<times { viewport.move(move) }
      select(
        number: number(nearestTo: viewport.selected, goingDown: viewport.distance(of: move) > 0))
    }
  }

  /// Selects the first item of the next section; backwards, of this or the previous one.
  package func moveSection(forward: Bool) {
    guard let selectedNumber else { return }
    var (starts, next): ([Int], Int) = ([], 0)
    for section in sections {
      starts.append(next)
      next += section.items.count
    }
    let target =
      forward ? starts.first { $0 > selectedNumber } : starts.last { $0 < selectedNumber }
    if let target { select(number: target) }
  }

  /// Sets the number of rows on the screen.
  package func didLayOut(rows: Int) {
    guard rows != viewport.visibleRows else { return }
    viewport.reshape(columns: 1, visibleRows: rows)
    if let selectedNumber { select(number: selectedNumber) }
  }

  // MARK: Filter

  package var words: String { filter.text }

  /// Edits the filter; after a change the next `show` selects the first item.
  package func edit(_ change: (inout LineEditor) -> Void) {
    let before = filter.text
    change(&filter)
    if filter.text != before { selectsFirst = true }
  }

  /// Clears the filter; the selection stays.
  package func clearFilter() { filter = LineEditor(limit: Self.maxFilterLength) }

  // MARK: Rows

  /// Content of a row; nil beyond the last one.
  package func row(at row: Int) -> Row? {
    guard row >= 0 else { return nil }
    var (rest, number) = (row, 0)
    for (index, section) in sections.enumerated() {
      if hasGaps, index > 0 {
        if rest == 0 { return .blank }
        rest -= 1
      }
      if let heading = section.heading {
        if rest == 0 { return .heading(heading) }
        rest -= 1
      }
      if rest < section.items.count { return .item(section.items[rest], number: number + rest) }
      rest -= section.items.count
      number += section.items.count
    }
    return nil
  }

  /// Items on the screen and on `screens` screens before and after it.
  func items(within screens: Int) -> [Item] {
    let shown = viewport.visibleWithCutRow
    let distance = shown.count * screens
    return (max(0, shown.lowerBound - distance)..<min(rowCount, shown.upperBound + distance))
      .compactMap { row in if case .item(let item, _) = self.row(at: row) { item } else { nil } }
  }

  private func isItem(_ row: Int) -> Bool {
    if case .item = self.row(at: row) { true } else { false }
  }

  private func row(ofItem number: Int) -> Int? {
    var (rest, row) = (number, 0)
    for (index, section) in sections.enumerated() {
      row += (hasGaps && index > 0 ? 1 : 0) + (section.heading == nil ? 0 : 1)
      if rest < section.items.count { return row + rest }
      rest -= section.items.count
      row += section.items.count
    }
    return nil
  }

  private func number(of id: Item.ID) -> Int? {
    var start = 0
    for section in sections {
      if let index = section.items.firstIndex(where: { $0.id == id }) { return start + index }
      start += section.items.count
    }
    return nil
  }

  /// Index of the item in a row, or of the nearest one, first in the direction of a move.
  private func number(nearestTo row: Int, goingDown: Bool) -> Int {
    let ahead = stride(from: row, to: goingDown ? rowCount : -1, by: goingDown ? 1 : -1)
    for row in ahead { if case .item(_, let number) = self.row(at: row) { return number } }
    return goingDown ? count - 1 : 0
  }
}
