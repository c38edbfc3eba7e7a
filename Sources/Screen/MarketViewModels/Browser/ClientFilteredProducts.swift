package import MarketModel
internal import SafeTextKit

/// How far the pages of a market were sifted for a list.
package struct ScanProgress: Hashable, Sendable {
  /// Rows that were looked at.
  package var looked: Int
  /// Rows that the market has to look at, as far as it says.
  package var total: ProductTotal
  /// Whether texts were looked for, in names alone.
  package var readsNames: Bool
  /// Position at which it goes on; nil at the end.
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

/// A page for a list.
struct MarketPage {
  var page: ProductPage
  /// How far the market was sifted for it; nil where it answers by itself.
  var scan: ScanProgress?
  /// Whether it is one of a list in groups.
  var isGrouped = false
}

/// Products of a market that does not answer all parts of a query: its pages are read one after the
/// other by what it understands, and sifted.
struct ClientFilteredProducts {
  let repository: any ProductRepository
  /// The parts of the query that the market does not answer.
  let lacking: Set<QueryPart>

  /// Rows that are read at once: a market is sifted in few requests.
  static let pageSize = 100
  /// How often it goes back because products may have moved over to the page before.
  private static let maxStepsBack = 3
  /// Pages in a row without an unseen product after which a market only repeats itself.
  private static let emptyPageLimit = 10

  /// Reads the next page of finds.
  ///
  /// The one that continues a list reads on until something is found, and says each time how far it
  /// came; any other is made of one page of the market.
  func page(
    _ request: PageRequest, readsOn: Bool, telling tell: (ScanProgress) -> Void
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
      reading.take(source)
      let finds = source.products.filter(filter.keeps)
      let progress = progress(of: reading)
      if !finds.isEmpty || !readsOn || progress.next == nil {
        let page = ProductPage(
          products: finds, total: .unknown, next: progress.next, unreadableRows: unreadable)
        return MarketPage(page: page, scan: progress)
      }
      tell(progress)
    }
  }

  /// What the market is asked.
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

  /// Way through the pages of a market, whatever they are.
  private struct Reading {
    private(set) var place: ScanPosition
    private(set) var isOver = false
    private var seen: Set<Product.ID> = []
    private var stepsBack = 0
    private var emptyPages = 0

    init(from place: ScanPosition) { self.place = place }

    /// Goes on behind a page.
    ///
    /// A count that fell says that products moved towards the front: the page before is read again,
    /// so that none is missed.
    mutating func take(_ page: ProductPage) {
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

/// Place between two pages of a market that is sifted, and what was looked at before it.
struct ScanPosition: Hashable {
  /// Position of the market's next page.
  var source = PagePosition.first
  var looked = 0
  /// Rows that the market had when it was asked last; nil where it does not count.
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

  /// The place as a cursor of the list.
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
