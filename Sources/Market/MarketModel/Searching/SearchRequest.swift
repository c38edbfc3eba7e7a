/// What a search line says: words, bounds, filters, sellers, age, order, and in which markets.
///
/// It becomes a `ProductQuery` where sellers and time are known; `SearchLanguage` writes and reads it.
package struct SearchRequest: Hashable, Sendable {
  /// Words and phrases in the order in which they were typed.
  package var terms: [SearchTerm]
  package var price: PriceRange
  /// Any of these values in fields that are choices; no set is empty.
  package var choices: [ProductField: Set<String>]
  package var filters: Set<ProductFilter>
  /// How the place begins; empty is anywhere.
  package var place = ""
  /// Any of these sellers; empty is all.
  package var sellers: [SellerMention]
  /// How long ago a product was registered, at most.
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

  /// Whether nothing is said: all products, in the usual order, of the market that is shown.
  package var isEmpty: Bool { self == SearchRequest() }
}

/// Word or phrase that must occur, or must not.
package struct SearchTerm: Hashable, Sendable {
  /// Never blank; with blanks in it, it is a phrase.
  package let text: String
  package let isExcluded: Bool

  /// Nil for a text that is blank: it says nothing.
  package init?(_ text: String, isExcluded: Bool = false) {
    guard !text.unicodeScalars.allSatisfy(\.properties.isWhitespace) else { return nil }
    self.text = text
    self.isExcluded = isExcluded
  }

  package var isPhrase: Bool { text.unicodeScalars.contains(where: \.properties.isWhitespace) }
}

/// Seller as a search line names one.
package enum SellerMention: Hashable, Sendable {
  /// By the name, which several may have.
  case name(String)
  /// By the market's number.
  case number(Seller.ID)
}

/// Age up to which products are new, such as seven days.
package struct SearchAge: Hashable, Sendable {
  package enum Unit: Hashable, Sendable, CaseIterable {
    case hour, day, week, month, year

    /// Months and years as ages are told: of 30 and 365 days.
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

  /// One or more.
  package let count: Int64
  package let unit: Unit

  package init?(_ count: Int64, _ unit: Unit) {
    guard count > 0 else { return nil }
    self.count = count
    self.unit = unit
  }

  /// The time at which what is new begins.
  package func start(now: Timestamp) -> Timestamp {
    let (length, overflow) = count.multipliedReportingOverflow(by: unit.seconds)
    let (start, underflow) = now.seconds.subtractingReportingOverflow(overflow ? .max : length)
    return Timestamp(seconds: underflow ? .min : start)
  }

  /// The age of what was registered at a time, to the hour; up to a day in hours, then in days.
  package init(since start: Timestamp, now: Timestamp) {
    let seconds = max(0, now.seconds - start.seconds)
    let hours = max(1, (seconds + Unit.hour.seconds / 2) / Unit.hour.seconds)
    (count, unit) = hours % 24 == 0 ? (hours / 24, .day) : (hours, .hour)
  }
}

/// The markets that are searched.
package enum SearchScope: Hashable, Sendable {
  /// The one that is shown.
  case here
  /// All that are known.
  case all
  /// The local one.
  case home
  /// The one that is called so.
  case market(String)
}

// MARK: Requests and queries

extension SearchRequest {
  /// The query of these sellers and of this moment; who is missing among the sellers is nobody.
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

  /// What asks for a query, with the sellers by their numbers.
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

  /// The parts of a query that it becomes.
  package var parts: Set<QueryPart> { Set(QueryPart.allCases.filter { self != without($0) }) }

  /// The request without a part.
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
    // A line cannot say it.
    case .ids: break
    }
    return rest
  }

  /// The request with these parts alone, in the order and the markets that it has.
  package func only(_ parts: Set<QueryPart>) -> SearchRequest {
    QueryPart.allCases.filter { !parts.contains($0) }.reduce(self) { $0.without($1) }
  }
}
