package import MarketModel
package import SafeTextKit

/// What a part of a search request says, as chips show it.
package enum QueryText {
  /// The part in about so many columns; nil for one that the request has not.
  package static func chip(
    _ part: QueryPart, of request: SearchRequest, columns: Int = .max, _ strings: Strings
  ) -> SafeText? {
    let text = SafeText(request.text(of: part, in: strings.language.ofSearch))
      .truncated(toColumns: columns)
    guard !text.isEmpty else { return nil }
    switch part {
    case .words: return "“" + text + "”"
    case .filter(let filter): return strings[filter.phrase].inLowerCase
    case .place: return strings(.filterNear, SafeText(request.place))
    case .choice(let field):
      let answers = request.choices[field].flatMap { field.text(of: $0, strings) }
      return answers.map(\.inLowerCase) ?? text
    case .seller, .phrases, .without, .price, .since, .ids: return text
    }
  }
}

extension SafeText {
  /// The text as it stands among others.
  package var inLowerCase: SafeText { SafeText(string.lowercased()) }
}

extension ProductOrder {
  /// What the order is called.
  package var phrase: Phrase {
    switch self {
    case .newest: .orderNewest
    case .cheapest: .orderCheapest
    case .priceDescending: .orderPriceDescending
    case .biggestDiscount: .orderBiggestDiscount
    }
  }
}

extension ProductFilter {
  /// What is left of a list by the filter.
  package var phrase: Phrase {
    switch self {
    case .inStock: .filterInStock
    case .reduced: .filterReduced
    case .available: .filterAvailable
    case .reserved: .filterReserved
    case .unreserved: .filterUnreserved
    case .sold: .soldOut
    }
  }
}
