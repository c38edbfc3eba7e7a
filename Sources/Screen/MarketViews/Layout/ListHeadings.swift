internal import MarketModel
internal import MarketViewModels

/// Headings of the groups of a list.
package struct ListHeadings: Hashable, Sendable {
  /// Before which rows they stand, counted from the first one on the screen, which has one itself.
  let rows: [Int]
  /// Lines that are left for them, wherever the list is scrolled to.
  let count: Int

  package init(rows: [Int] = [], count: Int = 0) {
    self.rows = rows
    self.count = count
  }
}

/// The groups of a seller's own products that are on the screen, under their headings.
extension BrowserModel {
  /// The groups among the products that are shown, and the first of each there, by its index.
  func groups(in shown: Range<Int>) -> [(group: SaleGroup, index: Int)] {
    let feed = feed
    let starts = feed.groupStarts
    guard !starts.isEmpty else { return [] }
    let ends = starts.dropFirst().map(\.index) + [feed.count]
    return zip(starts, ends).compactMap { start, end in
      let first = max(start.index, shown.lowerBound)
      return first < min(end, shown.upperBound) ? (start.group, first) : nil
    }
  }

  /// The headings of the list.
  var headings: ListHeadings {
    let count = feed.groupStarts.count
    guard count > 0 else { return ListHeadings() }
    let shown = viewport.visibleWithCutRow
    return ListHeadings(
      rows: groups(in: shown).map { $0.index - shown.lowerBound }, count: count)
  }
}
