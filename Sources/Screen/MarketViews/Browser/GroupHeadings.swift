import MarketStrings
internal import MarketViewModels
internal import SafeTextKit
internal import TerminalKit

/// Headings of the groups of a seller's own products, as far as these are on the screen.
struct GroupHeadings {
  /// The product under each heading, by its index, with the words.
  let headings: [(index: Int, text: SafeText)]

  init(_ browser: BrowserModel, _ shown: Range<Int>, _ strings: Strings) {
    headings = browser.groups(in: shown).map { ($1, strings[$0.phrase]) }
  }
}

extension BrowserModel {
  /// The groups on the screen and the first product of each there, by its index.
  fileprivate func groups(in shown: Range<Int>) -> [(group: SaleGroup, index: Int)] {
    let starts = feed.groupStarts
    return starts.enumerated().compactMap { number, start in
      let end = number + 1 < starts.count ? starts[number + 1].index : feed.count
      let first = max(start.index, shown.lowerBound)
      return first < min(end, shown.upperBound) ? (start.group, first) : nil
    }
  }

  /// The headings of the list.
  var headings: ListHeadings {
    let shown = viewport.visibleWithCutRow
    var headings = ListHeadings()
    headings.rows = groups(in: shown).map { $0.index - shown.lowerBound }
    headings.count = feed.groupStarts.count
    return headings
  }
}

extension SaleGroup {
  fileprivate var phrase: Phrase {
    switch self {
    case .forSale: .groupForSale
    case .reserved: .filterReserved
    case .sold: .soldOut
    }
  }
}
