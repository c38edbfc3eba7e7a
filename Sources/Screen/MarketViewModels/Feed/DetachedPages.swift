internal import MarketModel

/// Pages away from the unbroken beginning of a list, read by number as they are looked at; their rows
/// stand at their places in the order, and those far from the screen are forgotten.
///
/// It is used where the source counts its products and knows pages by number.
struct DetachedPages: Sendable {
  private var rows: [Int: ListedProduct] = [:]
  private var places: [Product.ID: Int] = [:]
  /// Numbers of the pages that were read and are where they were; rows of theirs that are missing
  /// cannot be read.
  private var pagesRead: Set<Int> = []
  /// Numbers of the pages that are on their way.
  private(set) var fills: Set<Int> = []
  /// Those that did not come, and why.
  private(set) var failures: [Int: RepositoryError] = [:]

  /// Products of a page; nil where the first page is the only one, or none came yet.
  var stride: Int?
  /// Whether pages by number have turned out to be something else.
  var isRefused = false
  /// Where the last page ended, if it was read.
  private(set) var end: Int?

  /// How many rows are kept, at most; half of them stay when there are more.
  private static let maxRows = 2_000
  /// Pages that are on their way at once, with that at the end of the head.
  static let maxLoads = 2

  subscript(place: Int) -> ListedProduct? { rows[place] }

  func place(of id: Product.ID) -> Int? { places[id] }

  var all: [ListedProduct] { Array(rows.values) }

  // MARK: Pages

  /// Number of the page that holds a place.
  func number(at place: Int) -> Int? { stride.map { place / $0 + 1 } }

  /// Place of a page's first row.
  func start(of number: Int) -> Int { (number - 1) * (stride ?? 0) }

  /// Numbers of the pages that hold unread places, the one nearest to a place first.
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

  /// Says which pages are wanted, the most urgent first: what to load, and what is wanted no more.
  ///
  /// So many may be on their way at once.
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

  /// Leaves a page that has come to somebody else.
  mutating func forgetFill(_ number: Int) { fills.remove(number) }

  /// Wants a page although its rows are there.
  mutating func reread(_ number: Int) { fills.insert(number) }

  /// Takes a page in.
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

  /// Moves all rows from a place on, as products before them came or went.
  mutating func shift(by distance: Int, from first: Int = 0) {
    guard distance != 0 else { return }
    end = end.map { $0 + distance }
    pagesRead = []
    guard !rows.isEmpty else { return }
    let moved = rows.map { ($0 < first ? $0 : $0 + distance, $1) }
    rows = Dictionary(moved) { $1 }
    places = Dictionary(rows.map { ($1.id, $0) }) { $1 }
  }

  /// Forgets the rows at places that the unbroken beginning holds by now; all of them where they are
  /// of another state of the market than that.
  mutating func join(_ head: [ListedProduct]) {
    guard let last = head.last, !rows.isEmpty else { return }
    if let row = rows[head.count - 1], row.id != last.id { return forgetRows() }
    keep(head.count..<Int.max)
  }

  /// Forgets rows where there are many, those farthest from a place first.
  mutating func trim(around place: Int) {
    guard rows.count > Self.maxRows else { return }
    keep(place - Self.maxRows / 4..<place + Self.maxRows / 4)
    pagesRead = []
  }

  /// Keeps the rows at some places only.
  mutating func keep(_ range: Range<Int>) {
    rows = rows.filter { range.contains($0.key) }
    places = places.filter { range.contains($0.value) }
  }

  /// Forgets the rows, and where they end; what is on its way stays.
  mutating func forgetRows() {
    (rows, places, pagesRead, end) = ([:], [:], [], nil)
  }

  /// Forgets what is on its way and what failed.
  mutating func forgetFills() { (fills, failures) = ([], [:]) }
}
