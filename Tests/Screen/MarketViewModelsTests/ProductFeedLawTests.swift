import Expectations
import MarketModel
import MarketViewModels
import TestSupport
import Testing

/// Laws of a feed that is read page by page while the market changes at random.
struct ProductFeedLawTests {
  private enum Paging: CaseIterable { case cursor, countedNumber, uncountedNumber }

  /// A market in the newest order, in which products come and go between any two pages.
  private struct ChangingMarket {
    private(set) var ids: [Int64]
    private(set) var gone: Set<Int64> = []
    private var lastID: Int64
    private var random: SeededRandom
    private let paging: Paging
    private let adds: Bool
    private let removes: Bool

    init(count: Int64, seed: UInt64, paging: Paging) {
      ids = Array((1...count).reversed())
      lastID = count
      // What comes and goes at once leaves no trace where nothing is counted.
      adds = paging != .uncountedNumber || seed.isMultiple(of: 2)
      removes = paging != .uncountedNumber || !adds
      random = SeededRandom(seed: seed)
      self.paging = paging
    }

    mutating func change() {
      for _ in 0..<Int.random(in: 0...2, using: &random) {
        if Bool.random(using: &random) {
          guard adds else { continue }
          lastID += 1
          ids.insert(lastID, at: 0)
        } else if removes, let index = ids.indices.randomElement(using: &random) {
          gone.insert(ids.remove(at: index))
        }
      }
    }

    func page(_ request: PageRequest) -> ProductPage {
      let start =
        switch request.position {
        case .first: 0
        case .number(let number): (number - 1) * request.size
        case .after(let cursor):
          ids.firstIndex { $0 < Int64(cursor.rawValue) ?? 0 } ?? ids.count
        }
      let found = Array(ids.dropFirst(start).prefix(request.size))
      return .sample(
        found, total: paging == .uncountedNumber ? .unknown : .exactly(ids.count),
        next: next(after: found, start: start, size: request.size))
    }

    private func next(after found: [Int64], start: Int, size: Int) -> PagePosition? {
      guard let last = found.last, start + found.count < ids.count else { return nil }
      return paging == .cursor
        ? .after(PageCursor(rawValue: "\(last)")) : .number(start / size + 2)
    }
  }

  /// Reads to the end while the market changes before each page.
  private func readAll(_ market: inout ChangingMarket, pageSize: Int) -> ProductFeed {
    var feed = ProductFeed(pageSize: pageSize)
    var waiting = [feed.start(ProductQuery())]
    while let request = waiting.first {
      waiting.removeFirst()
      market.change()
      waiting += feed.didReceive(market.page(request.page), for: request)
      if let more = feed.prefetchNext(lastVisible: feed.head.count, ahead: pageSize) {
        waiting.append(more)
      }
    }
    return feed
  }

  @Test(arguments: Paging.allCases, 0..<200)
  private func `nothing that is still there is missed or repeated, and the order is right`(
    paging: Paging, seed: Int
  ) {
    var market = ChangingMarket(count: 40, seed: UInt64(seed), paging: paging)
    let original = Set(market.ids)

    let feed = readAll(&market, pageSize: 3 + seed % 4)

    let read = feed.head.map(\.id.rawValue)
    expect(feed.phase, .ended)
    #expect(original.subtracting(market.gone).subtracting(read).isEmpty)
    expect(Set(read).count, read.count)
    expect(read, read.sorted(by: >))
  }
}
