internal import MarketModel

/// Prefetch of pages: which are requested, and where rows away from the head go.
extension ProductFeed {
  /// Maximum rows of the head if pages can be read by number; it is not extended beyond.
  private static let maxHeadSize = 2_000
  /// Maximum length of a list; larger counts of a source are cut to it.
  private static let maxRows = Int(Int32.max)

  /// Requests to send for a part of the list, and those to cancel.
  package struct Prefetch: Hashable, Sendable {
    package var loads: [FeedRequest] = []
    package var cancels: [FeedRequest] = []

    package var isEmpty: Bool { loads.isEmpty && cancels.isEmpty }
  }

  /// Whether any place of the list can be shown directly, by page number.
  var canJump: Bool {
    far.stride != nil && !far.isRefused && seenAt == nil && counted > head.count
  }

  /// Number of rows that the source reports, cut to `maxRows`; 0 if unknown.
  var counted: Int {
    switch total {
    case .exactly(let count), .atLeast(let count): min(count, Self.maxRows)
    case .unknown: 0
    }
  }

  /// Place up to which the head is extended; pages behind it are read by number.
  var reach: Int { isHeadFull ? head.count : head.count + (far.stride ?? 0) }

  /// Whether the head is not extended further because pages can be read by number.
  var isHeadFull: Bool { canJump && head.count >= Self.maxHeadSize }

  /// Requests the unread pages of the rows on the screen and of `ahead` rows around them, at least
  /// one screen.
  mutating func prefetch(_ shown: Range<Int>, selected: Int, ahead: Int) -> Prefetch {
    var prefetch = prefetchFar(shown, selected: selected, ahead: ahead)
    let next = prefetchNext(
      firstVisible: shown.lowerBound, lastVisible: shown.upperBound, ahead: ahead)
    if let next { prefetch.loads.append(next) }
    return prefetch
  }

  /// Requests the page behind the head if it is due.
  ///
  /// - Parameters:
  ///   - firstVisible: index of the first visible row; far behind the head, the head is not extended.
  ///   - lastVisible: index of the last visible row.
  ///   - ahead: rows to load behind it.
  /// - Returns: nil if no page is due or it is already requested.
  package mutating func prefetchNext(
    firstVisible: Int = 0, lastVisible: Int, ahead: Int
  ) -> FeedRequest? {
    guard phase == .idle, !isStale, lastVisible + ahead >= head.count - 1 else { return nil }
    if canJump, isHeadFull || firstVisible >= reach { return nil }
    if case .number(let number) = next, far.fills.contains(number) { return nil }
    return loadNext()
  }

  /// Requests the unread pages away from the head: those on the screen, that of the selected row
  /// first, then up to `ahead` rows on both sides.
  ///
  /// Near the head that is extended instead; requests for the screen continue.
  package mutating func prefetchFar(_ shown: Range<Int>, selected: Int, ahead: Int) -> Prefetch {
    let wanted =
      isStale || !canJump ? [] : pagesToRead(shown, selected: selected, ahead: ahead)
    let (loads, passed) = far.want(wanted, atMost: loadLimit)
    return Prefetch(loads: loads.map(fillRequest), cancels: passed.map(fillRequest))
  }

  private func pagesToRead(_ shown: Range<Int>, selected: Int, ahead: Int) -> [Int] {
    let end = max(shown.upperBound, min(count, shown.upperBound + ahead))
    guard isHeadFull || shown.lowerBound >= reach else {
      return far.missing(in: shown.lowerBound..<end, nearest: selected).filter(far.fills.contains)
    }
    let places = [
      shown, shown.upperBound..<end, max(0, shown.lowerBound - ahead)..<shown.lowerBound,
    ]
    let numbers = places.flatMap { far.missing(in: $0.from(reach), nearest: selected) }
    return numbers.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  private var loadLimit: Int { DetachedPages.maxLoads - (phase == .loading ? 1 : 0) }

  /// Takes a count over if it adds to the known one; true if it differs.
  mutating func updateTotal(_ total: ProductTotal) -> Bool {
    // The source's count no longer includes them.
    if case .exactly = total { deleted = [] }
    let isNews =
      switch (total, self.total) {
      case (.unknown, _): false
      case (.atLeast(let least), .exactly(let count)), (.atLeast(let least), .atLeast(let count)):
        least > count
      case (.exactly, _), (.atLeast, .unknown): total != self.total
      }
    if isNews { self.total = total }
    return isNews
  }

  private func fillRequest(_ number: Int) -> FeedRequest {
    request(.number(number), .fill(number: number))
  }

  /// Takes a page in that was read by number.
  ///
  /// A changed count means that the other pages belong to another state of the market. A page that is
  /// empty, or repeats the head, means that the source has no pages by number.
  ///
  /// The page that the head would read next extends the head.
  mutating func takeFill(_ page: ProductPage, number: Int) -> [FeedRequest] {
    guard far.fills.contains(number) else { return [] }
    if phase == .idle, next == .number(number) {
      far.forgetFill(number)
      // As for a page that the head has requested: it must be shown to adjoin the rows.
      phase = .loading
      return append(page, at: .number(number))
    }
    if updateTotal(page.total) { far.forgetRows() }
    let isElsewhere = page.products.allSatisfy { known.contains($0.id) }
    if isElsewhere, far.start(of: number) < counted, far.start(of: number) >= reach {
      far.isRefused = true
      far.forgetRows()
      return []
    }
    far.put(page, number: number)
    far.trim(around: far.start(of: number))
    return []
  }

  /// Requests the visible pages away from the head again; their rows stay until then, others are
  /// dropped.
  mutating func rereadFar(_ shown: Range<Int>) -> [FeedRequest] {
    guard canJump, !shown.isEmpty, let first = far.number(at: shown.lowerBound) else { return [] }
    let last = far.number(at: shown.upperBound - 1) ?? first
    let numbers = first..<min(last, first + loadLimit - 1) + 1
    let kept = far.start(of: first)..<far.start(of: numbers.upperBound)
    far.keep(kept)
    for number in numbers { far.reread(number) }
    return numbers.map(fillRequest)
  }
}

extension Range<Int> {
  /// Part of the range from a bound on.
  fileprivate func from(_ bound: Int) -> Range<Int> {
    Swift.max(bound, lowerBound)..<Swift.max(bound, upperBound)
  }
}

/// Pages away from the head of a list, read by number as they are shown.
///
/// Their rows are kept by place; those far from the screen are dropped.
///
/// Used if the source counts its products and has pages by number.
struct DetachedPages: Sendable {
  private var rows: [Int: ListedProduct] = [:]
  private var places: [Product.ID: Int] = [:]
  /// Numbers of the pages that were read at their present place; rows that they lack cannot be read.
  private var pagesRead: Set<Int> = []
  /// Numbers of the pages that are requested.
  private(set) var fills: Set<Int> = []
  /// Errors of the pages that failed.
  private(set) var failures: [Int: RepositoryError] = [:]

  /// Rows of a page; nil if there is only one page, or none has arrived.
  var stride: Int?
  /// Whether the source has turned out not to have pages by number.
  var isRefused = false
  /// Place behind the last row; nil if the last page was not read.
  private(set) var end: Int?

  /// Maximum number of rows; beyond it half of them are kept.
  private static let maxRows = 2_000
  /// Maximum number of requests at the same time, including the one at the end of the head.
  static let maxLoads = 2

  subscript(place: Int) -> ListedProduct? { rows[place] }

  func place(of id: Product.ID) -> Int? { places[id] }

  var all: [ListedProduct] { Array(rows.values) }

  // MARK: Pages

  /// Number of the page that contains a place; nil without a stride.
  func number(at place: Int) -> Int? { stride.map { place / $0 + 1 } }

  func start(of number: Int) -> Int { (number - 1) * (stride ?? 0) }

  /// Numbers of the pages with unread places, nearest to `place` first.
  func missing(in places: Range<Int>, nearest place: Int) -> [Int] {
    guard let nearest = number(at: place) else { return [] }
    var numbers: [Int] = []
    for place in places where rows[place] == nil {
      guard let number = number(at: place), !pagesRead.contains(number), number != numbers.last
      else { continue }
      numbers.append(number)
    }
    return numbers.sorted { abs($0 - nearest) < abs($1 - nearest) }
  }

  /// Sets the wanted pages, most urgent first, and returns the ones to load and those to cancel.
  ///
  /// At most `limit` are requested at the same time.
  mutating func want(_ wanted: [Int], atMost limit: Int) -> (loads: [Int], passed: [Int]) {
    let passed = fills.subtracting(wanted)
    fills.subtract(passed)
    var loads: [Int] = []
    for number in wanted where fills.count < limit {
      guard failures[number] == nil, fills.insert(number).inserted else { continue }
      loads.append(number)
    }
    return (loads, Array(passed))
  }

  /// Removes a request whose page went to the head.
  mutating func forgetFill(_ number: Int) { fills.remove(number) }

  /// Requests a page again although its rows are loaded.
  mutating func reread(_ number: Int) { fills.insert(number) }

  /// Stores a page.
  mutating func put(_ page: ProductPage, number: Int) {
    fills.remove(number)
    let start = start(of: number)
    for place in start..<start + max(stride ?? 0, page.products.count) { remove(at: place) }
    for (offset, product) in page.products.enumerated() {
      if let earlier = places[product.id] { remove(at: earlier) }
      rows[start + offset] = ListedProduct(product)
      places[product.id] = start + offset
    }
    pagesRead.insert(number)
    guard !page.products.isEmpty else { return }
    end = page.next == nil ? start + page.products.count : end.flatMap { $0 > start ? $0 : nil }
  }

  mutating func didFail(_ error: RepositoryError, number: Int) {
    fills.remove(number)
    if error == .unsupported { isRefused = true } else { failures[number] = error }
  }

  mutating func forgetFailures() { failures = [:] }

  // MARK: Rows

  mutating func replace(with product: Product) {
    if let place = places[product.id] { rows[place] = ListedProduct(product) }
  }

  mutating func remove(at place: Int) {
    if let row = rows.removeValue(forKey: place), places[row.id] == place { places[row.id] = nil }
  }

  /// Moves all rows from `first` on, because products before them were added or removed.
  mutating func shift(by distance: Int, from first: Int = 0) {
    guard distance != 0 else { return }
    end = end.map { $0 + distance }
    pagesRead = []
    guard !rows.isEmpty else { return }
    let moved = rows.map { ($0 < first ? $0 : $0 + distance, $1) }
    rows = Dictionary(moved) { $1 }
    places = Dictionary(rows.map { ($1.id, $0) }) { $1 }
  }

  /// Drops rows that the head contains by now; all of them if they belong to another state of the
  /// market.
  mutating func join(_ head: [ListedProduct]) {
    guard let last = head.last, !rows.isEmpty else { return }
    if let row = rows[head.count - 1], row.id != last.id { return forgetRows() }
    keep(head.count..<Int.max)
  }

  /// Drops the rows farthest from a place if there are more than `maxRows`.
  mutating func trim(around place: Int) {
    guard rows.count > Self.maxRows else { return }
    keep(place - Self.maxRows / 4..<place + Self.maxRows / 4)
    pagesRead = []
  }

  /// Drops the rows outside a range of places.
  mutating func keep(_ range: Range<Int>) {
    rows = rows.filter { range.contains($0.key) }
    places = places.filter { range.contains($0.value) }
  }

  /// Drops the rows and the known end; requests stay.
  mutating func forgetRows() {
    (rows, places, pagesRead, end) = ([:], [:], [], nil)
  }

  /// Drops requests and failures.
  mutating func forgetFills() { (fills, failures) = ([], [:]) }
}
