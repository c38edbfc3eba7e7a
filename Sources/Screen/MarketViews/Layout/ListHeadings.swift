internal import MarketModel
internal import MarketViewModels

/// Headings of a list's groups.
package struct ListHeadings: Hashable, Sendable {
  /// Rows below a heading, counted from the first one on the screen; the first row has one too.
  let rows: [Int]
  /// Lines reserved for headings, at any scroll position.
  let count: Int

  package init(rows: [Int] = [], count: Int = 0) {
    self.rows = rows
    self.count = count
  }
}

/// Groups of a seller's own products on the screen.
extension BrowserModel {
  /// Returns the groups of the visible products, with the index of each group's first visible one.
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

  /// Headings of the list; empty without groups.
  var headings: ListHeadings {
    let count = feed.groupStarts.count
    guard count > 0 else { return ListHeadings() }
    let shown = viewport.visibleWithCutRow
    return ListHeadings(
      rows: groups(in: shown).map { $0.index - shown.lowerBound }, count: count)
  }
}
