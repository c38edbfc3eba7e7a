package import MarketModel
internal import SafeTextKit

/// Progress of a scan of a market's pages.
package struct ScanProgress: Hashable, Sendable {
  /// Number of rows that were examined.
  package var looked: Int
  /// Number of rows that the market has, as far as it reports it.
  package var total: ProductTotal
  /// Whether search terms were compared with names only.
  package var readsNames: Bool
  /// Position at which the scan continues; nil at the end.
  var next: PagePosition?

  package init(
    looked: Int, total: ProductTotal, readsNames: Bool = false, next: PagePosition? = nil
  ) {
    self.looked = looked
    self.total = total
    self.readsNames = readsNames
    self.next = next
  }
}

/// Page of the list.
struct MarketPage {
  var page: ProductPage
  /// Progress of the scan for it; nil if the market filtered it.
  var scan: ScanProgress?
  /// Whether the list is ordered in groups by state of sale.
  var isGrouped = false
}

/// Client-side filter for a market that cannot evaluate all parts of a query: reads page after page
/// by the parts that the market knows, and filters the rest.
struct ClientFilteredProducts {
  let repository: any ProductRepository
  /// Parts of the query that the market cannot evaluate.
  let lacking: Set<QueryPart>

  /// Minimum rows of a request, so that a scan takes few requests.
  static let pageSize = 100
  /// Maximum number of times that the previous page is read again because products may have moved to
  /// it.
  private static let maxStepsBack = 3
  /// Number of pages in a row without a new product after which the scan ends.
  private static let emptyPageLimit = 10

  /// Reads the next page of matches.
  ///
  /// With `readsOn`, for a page that continues a list, it reads until there is a match or the end and
  /// calls `report` after each page without one; otherwise it reads one page of the market.
  /// - Throws: what `ProductRepository.page(_:)` throws; `.cancelled` if the task was cancelled.
  func page(
    _ request: PageRequest, readsOn: Bool, reporting report: (ScanProgress) -> Void
  ) async throws(RepositoryError) -> MarketPage {
    var reading = Reading(from: ScanPosition(request.position))
    let filter = ProductFilterEvaluator(request.query, parts: lacking)
    var unreadable = 0
    while true {
      let source = try await repository.page(
        PageRequest(
          query: asked(request.query), position: reading.place.source,
          size: max(request.size, Self.pageSize)))
      guard !Task.isCancelled else { throw .cancelled }
      unreadable += source.unreadableRows
      reading.advance(source)
      let finds = source.products.filter(filter.keeps)
      let progress = progress(of: reading)
      if !finds.isEmpty || !readsOn || progress.next == nil {
        let page = ProductPage(
          products: finds, total: .unknown, next: progress.next, unreadableRows: unreadable)
        return MarketPage(page: page, scan: progress)
      }
      report(progress)
    }
  }

  /// The query without the parts that the market cannot evaluate.
  private func asked(_ query: ProductQuery) -> ProductQuery {
    var query = query
    for part in lacking { query.remove(part) }
    return query
  }

  private func progress(of reading: Reading) -> ScanProgress {
    ScanProgress(
      looked: reading.place.looked, total: reading.place.count.map { .exactly($0) } ?? .unknown,
      readsNames: !lacking.isDisjoint(with: QueryPart.texts),
      next: reading.isOver ? nil : .after(reading.place.cursor))
  }

  /// State of the scan within one call.
  private struct Reading {
    private(set) var place: ScanPosition
    private(set) var isOver = false
    private var seen: Set<Product.ID> = []
    private var stepsBack = 0
    private var emptyPages = 0

    init(from place: ScanPosition) { self.place = place }

    /// Advances past a page.
    ///
    /// If the count fell, products may have moved to the page before, which is read again so that
    /// none is missed.
    mutating func advance(_ page: ProductPage) {
      let count = place.count
      if case .exactly(let now) = page.total { place.count = now }
      if let count, let now = place.count, now < count, case .number(let number) = place.source,
        number > 1, stepsBack < ClientFilteredProducts.maxStepsBack
      {
        stepsBack += 1
        place.source = number == 2 ? .first : .number(number - 1)
        return
      }
      let unseen = page.products.count { seen.insert($0.id).inserted }
      emptyPages = unseen > 0 ? 0 : emptyPages + 1
      place.looked += unseen + page.unreadableRows
      guard let next = page.next, emptyPages < ClientFilteredProducts.emptyPageLimit else {
        isOver = true
        return
      }
      place.source = next
    }
  }
}

/// Position of a scan between two pages, with its progress.
struct ScanPosition: Hashable {
  /// Position of the market's next page.
  var source = PagePosition.first
  var looked = 0
  /// Number of rows that the market last reported; nil if it does not count.
  var count: Int?

  init(_ position: PagePosition) {
    guard case .after(let cursor) = position else {
      source = position
      return
    }
    let words = cursor.rawValue.split(separator: " ", maxSplits: 2)
    guard words.count == 3 else { return }
    looked = Int(words[0]) ?? 0
    count = Int(words[1])
    source =
      words[2].first == "#"
      ? .number(Int(words[2].dropFirst()) ?? 1)
      : .after(PageCursor(rawValue: String(words[2].dropFirst())))
  }

  /// The position, encoded as a cursor of the list.
  var cursor: PageCursor {
    let source =
      switch source {
      case .first: "#1"
      case .number(let number): "#\(number)"
      case .after(let cursor): ">" + cursor.rawValue
      }
    return PageCursor(rawValue: "\(looked) \(count.map { String($0) } ?? "-") \(source)")
  }
}
