internal import MarketModel
import MarketStrings
internal import MarketViewModels
internal import SafeTextKit

/// Columns that the widest values of some products take in a list; 0 for what none of them has.
struct RowWidths: Hashable {
  private(set) var name = Int.max
  private(set) var price = Self.maxPrice
  /// Columns of the full price of reduced ones.
  private(set) var old = 9
  private(set) var badge = Self.percent
  private(set) var stock = 3
  private(set) var (condition, place) = (0, 0)

  /// Maximum columns of the prices; a longer one takes from the name.
  private static let maxPrice = 10
  fileprivate static let percent = 3

  /// Usual columns, for lists that show neither condition nor place.
  static let usual = RowWidths()

  private init() {}

  init(of products: some Sequence<ListedProduct>, _ context: RenderContext) {
    (name, price, old, badge, stock) = (0, 0, 0, 0, 0)
    for listed in products {
      let product = listed.product
      let line = PriceLine(product, context, marksReduced: false)
      let marks = ProductMarks(product: product, marks: RowMarks(), context: context)
      name = max(name, listed.name.columns)
      price = max(price, line.toPay.columns)
      old = max(old, line.old?.columns ?? 0)
      badge = max(badge, line.badge?.columns ?? 0)
      stock = max(stock, marks.stock?.columns ?? 0)
      let words = AdditionalFields.condition(of: product, context.strings)
      condition = max(condition, words?.columns ?? 0)
      place = max(place, product.place.map { SafeText($0).columns } ?? 0)
    }
    price = min(price, Self.maxPrice)
  }
}

/// Columns of a row's parts, counted from the selection bar; parts that would leave too little of the
/// name are left out, except the price.
struct RowColumns: Hashable {
  /// First column of the name.
  static let name = 2
  /// End of the stock; nil without room.
  let stockEnd: Int?
  let priceEnd: Int
  /// Columns of the full price after the price to pay, and their end; none without room.
  let (oldWidth, oldEnd): (Int, Int)
  /// Columns of the badge after the prices; 0 without room.
  ///
  /// A longer badge is drawn before the price.
  let badgeWidth: Int
  /// Columns of condition and place in a one-line row; empty without room.
  let (condition, place): (Range<Int>, Range<Int>)
  let ageEnd: Int?
  /// Columns of the age with a blank one.
  let ageWidth: Int

  /// Blank column at the right, as in the bars.
  private static let margin = 1
  /// Blank columns before condition and place.
  private static let factGap = 2

  /// Columns of the longest short age with a blank one: 23시간 or today.
  private static func shortAge(_ language: Language) -> Int { language == .korean ? 7 : 6 }
  /// Columns of the longest age with a blank one: listed just now.
  private static func longestAge(_ language: Language) -> Int { language == .korean ? 15 : 17 }
  /// Minimum columns of the name in a row of `width`.
  static func minName(_ width: Int) -> Int { width * 2 / 5 }

  /// Divides a one-line row.
  ///
  /// The place is cut, then place, condition, full price, stock, age and badge are left out, in this
  /// order, where the name would get less than two fifths.
  init(width: Int, _ widths: RowWidths, _ context: RenderContext) {
    var (condition, place) = (widths.condition, widths.place)
    var (old, stock, badge) = (widths.old, widths.stock, widths.badge)
    var age = Self.shortAge(context.strings.language)
    func spaced(_ columns: Int, gap: Int = 1) -> Int { columns == 0 ? 0 : columns + gap }
    func columnsAfterPrice() -> Int {
      let facts = spaced(condition, gap: Self.factGap) + spaced(place, gap: Self.factGap)
      return spaced(old) + spaced(badge) + facts + age + Self.margin
    }
    let least = min(Self.minName(width), widths.name)
    func lacking() -> Int {
      let columns = Self.name + least + 1 + spaced(stock) + widths.price + columnsAfterPrice()
      return columns - width
    }
    place = max(0, place - max(0, lacking()))
    if place < min(widths.place, AdditionalFields.minPlaceColumns) { place = 0 }
    if lacking() > 0 { condition = 0 }
    if lacking() > 0 { badge = min(badge, RowWidths.percent) }
    if lacking() > 0 { old = 0 }
    if lacking() > 0 { stock = 0 }
    if lacking() > 0 { age = 0 }
    if lacking() > 0 { badge = 0 }
    priceEnd = width - columnsAfterPrice()
    stockEnd = stock == 0 ? nil : priceEnd - widths.price - 1
    (oldWidth, badgeWidth, ageWidth) = (old, badge, age)
    oldEnd = priceEnd + spaced(old)
    let factsStart = oldEnd + spaced(badge) + Self.factGap
    self.condition = factsStart..<factsStart + condition
    let placeStart = factsStart + spaced(condition, gap: Self.factGap)
    self.place = placeStart..<placeStart + place
    ageEnd = age == 0 ? nil : width - Self.margin
  }

  /// Divides a two-line row, with stock, condition, place and age in the second line.
  init(widthOfTwoLines width: Int, _ widths: RowWidths, _ context: RenderContext) {
    let end = width - Self.margin
    ageEnd = end
    ageWidth = Self.longestAge(context.strings.language)
    stockEnd = end - ageWidth
    badgeWidth = widths.badge
    oldEnd = badgeWidth == 0 ? end : end - badgeWidth - 1
    oldWidth = widths.old
    priceEnd = oldWidth == 0 ? oldEnd : oldEnd - oldWidth - 1
    (condition, place) = (0..<0, 0..<0)
  }
}
