internal import MarketModel

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
