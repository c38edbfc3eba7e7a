internal import SafeTextKit

/// Parsed search line: words, bounds, filters, sellers, age, order and markets.
///
/// `query(sellers:now:)` turns it into a `ProductQuery` once sellers and time are known.
package struct SearchRequest: Hashable, Sendable {
  /// Words and phrases as typed, in order.
  package var terms: [SearchTerm]
  package var price: PriceRange
  /// Accepted values of choice fields; no set is empty.
  package var choices: [ProductField: Set<String>]
  package var filters: Set<ProductFilter>
  /// Beginning of the place or of a later word of it; empty for any place.
  package var place = ""
  /// Accepted sellers; empty for all.
  package var sellers: [SellerMention]
  /// Maximum time since a product was listed; nil for any.
  package var age: SearchAge?
  package var order: ProductOrder
  package var scope: SearchScope

  package init(
    terms: [SearchTerm] = [], price: PriceRange = .any, currency: Currency? = nil,
    filters: Set<ProductFilter> = [], sellers: [SellerMention] = [], age: SearchAge? = nil,
    order: ProductOrder = .newest, scope: SearchScope = .here
  ) {
    self.terms = terms
    self.price = price
    choices = currency.map { [.currency: [$0.rawValue]] } ?? [:]
    self.filters = filters
    self.sellers = sellers
    self.age = age
    self.order = order
    self.scope = scope
  }

  package var currency: Currency? {
    get { choices[.currency]?.first.map(Currency.init) }
    set { choices[.currency] = newValue.map { [$0.rawValue] } }
  }

  /// Whether the request is empty: all products of the shown market, in the default order.
  package var isEmpty: Bool { self == SearchRequest() }
}

/// Required or excluded word or phrase.
package struct SearchTerm: Hashable, Sendable {
  /// Never blank; a phrase where it contains white space.
  package let text: String
  package let isExcluded: Bool

  /// Nil for a blank text.
  package init?(_ text: String, isExcluded: Bool = false) {
    guard !text.unicodeScalars.allSatisfy(\.properties.isWhitespace) else { return nil }
    self.text = text
    self.isExcluded = isExcluded
  }

  /// What the same keys type in the keyboard's other mode; unchanged without letters of a mode.
  fileprivate var inOtherKeyboardMode: SearchTerm {
    HangulLayout.inOtherMode(text).flatMap { SearchTerm($0, isExcluded: isExcluded) } ?? self
  }

  package var isPhrase: Bool { text.unicodeScalars.contains(where: \.properties.isWhitespace) }
}

/// Seller in a search line.
package enum SellerMention: Hashable, Sendable {
  /// Name, which several sellers may share.
  case name(String)
  /// Number at the market.
  case number(Seller.ID)
}

/// Maximum age of a product, such as seven days.
package struct SearchAge: Hashable, Sendable {
  package enum Unit: Hashable, Sendable, CaseIterable {
    case hour, day, week, month, year

    /// Seconds of the unit: a month is 30 days, a year 365.
    package var seconds: Int64 {
      switch self {
      case .hour: 3_600
      case .day: 86_400
      case .week: 7 * 86_400
      case .month: 30 * 86_400
      case .year: 365 * 86_400
      }
    }
  }

  /// At least 1.
  package let count: Int64
  package let unit: Unit

  package init?(_ count: Int64, _ unit: Unit) {
    guard count > 0 else { return nil }
    self.count = count
    self.unit = unit
  }

  /// Returns the earliest time that is still new.
  package func start(now: Timestamp) -> Timestamp {
    let (length, overflow) = count.multipliedReportingOverflow(by: unit.seconds)
    let (start, underflow) = now.seconds.subtractingReportingOverflow(overflow ? .max : length)
    return Timestamp(seconds: underflow ? .min : start)
  }

  /// Creates the age of a time, rounded to hours, at least one; whole days are in days.
  package init(since start: Timestamp, now: Timestamp) {
    let seconds = max(0, now.seconds - start.seconds)
    let hours = max(1, (seconds + Unit.hour.seconds / 2) / Unit.hour.seconds)
    (count, unit) = hours % 24 == 0 ? (hours / 24, .day) : (hours, .hour)
  }
}

/// Markets to search.
package enum SearchScope: Hashable, Sendable {
  /// The market on screen.
  case here
  /// All known markets.
  case all
  /// The local market.
  case home
  /// The market with this name.
  case market(String)
}

// MARK: Requests and queries

extension SearchRequest {
  /// Returns the query for these sellers at this time; none stands for all, so callers pass
  /// `Seller.ID.nobody` where no seller was found.
  package func query(sellers: [Seller.ID], now: Timestamp) -> ProductQuery {
    let wanted = terms.filter { !$0.isExcluded }
    var query = ProductQuery(
      text: wanted.filter { !$0.isPhrase }.map(\.text).joined(separator: " "),
      phrases: wanted.filter(\.isPhrase).map(\.text),
      without: terms.filter(\.isExcluded).map(\.text), price: price, order: order,
      filters: filters, sellers: sellers, since: age?.start(now: now))
    (query.choices, query.place) = (choices, place)
    return query
  }

  /// Creates a request for a query, with sellers by number.
  package init(_ query: ProductQuery, now: Timestamp) {
    let words = query.text.unicodeScalars.split(whereSeparator: \.properties.isWhitespace)
      .map { String($0) }
    self.init(
      terms: (words + query.phrases).compactMap { SearchTerm($0) }
        + query.without.compactMap { SearchTerm($0, isExcluded: true) },
      price: query.price, filters: query.filters,
      sellers: query.sellers.map(SellerMention.number),
      age: query.since.map { SearchAge(since: $0, now: now) }, order: query.order)
    (choices, place) = (query.choices, query.place)
  }

  /// Parts of the resulting query.
  package var parts: Set<QueryPart> { Set(QueryPart.allCases.filter { self != without($0) }) }

  /// Returns the request without a part.
  package func without(_ part: QueryPart) -> SearchRequest {
    var rest = self
    switch part {
    case .words: rest.terms.removeAll { !$0.isExcluded && !$0.isPhrase }
    case .phrases: rest.terms.removeAll { !$0.isExcluded && $0.isPhrase }
    case .without: rest.terms.removeAll(where: \.isExcluded)
    case .price: rest.price = .any
    case .choice(let field): rest.choices[field] = nil
    case .place: rest.place = ""
    case .filter(let filter): rest.filters.remove(filter)
    case .seller: rest.sellers = []
    case .since: rest.age = nil
    // A search line cannot contain ids.
    case .ids: break
    }
    return rest
  }

  /// The request whose words are what the same keys type in the keyboard's other mode; nil without such
  /// words.
  package var inOtherKeyboardMode: SearchRequest? {
    var other = self
    other.terms = terms.map { $0.isExcluded ? $0 : $0.inOtherKeyboardMode }
    return other.terms == terms ? nil : other
  }

  /// Returns the request with these parts only, in its order and markets.
  package func only(_ parts: Set<QueryPart>) -> SearchRequest {
    QueryPart.allCases.filter { !parts.contains($0) }.reduce(self) { $0.without($1) }
  }
}
