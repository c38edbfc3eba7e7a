internal import MarketModel
import MarketStrings
internal import MarketViewModels
internal import TerminalKit

/// The groups of a seller's own products that are on the screen, under their headings.
extension BrowserModel {
  /// The groups among the products that are shown, and the first of each there, by its index.
  func groups(in shown: Range<Int>) -> [(group: SaleGroup, index: Int)] {
    let starts = feed.groupStarts
    let ends = starts.dropFirst().map(\.index) + [feed.count]
    return zip(starts, ends).compactMap { start, end in
      let first = max(start.index, shown.lowerBound)
      return first < min(end, shown.upperBound) ? (start.group, first) : nil
    }
  }

  /// The headings of the list.
  var headings: ListHeadings {
    let shown = viewport.visibleWithCutRow
    return ListHeadings(
      rows: groups(in: shown).map { $0.index - shown.lowerBound }, count: feed.groupStarts.count)
  }
}

extension SaleGroup {
  var phrase: Phrase {
    switch self {
    case .forSale: .groupForSale
    case .reserved: .filterReserved
    case .sold: .soldOut
    }
  }
}
