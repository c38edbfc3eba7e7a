package import MarketModel
package import SafeTextKit

/// Text of a search request's parts, for chips.
package enum QueryText {
  /// Returns the number of products that were found; nil for none or an unknown number.
  package static func count(_ total: ProductTotal?, _ strings: Strings) -> SafeText? {
    switch total {
    case .exactly(let count) where count > 0: strings.counted(.productCount, count)
    case .atLeast(let count) where count > 0: strings.counted(.productCountAtLeast, count)
    case .exactly, .atLeast, .unknown, nil: nil
    }
  }

  /// Returns the first reason why a search line cannot be read; nil if it can.
  package static func mistake(in line: String, _ strings: Strings) -> SafeText? {
    if let error = SearchRequest.amountErrors(in: line).first {
      return ProblemText.text(error, strings)
    }
    return SearchRequest.keywordMistakes(in: line).first.map { mistake in
      strings(
        .searchUnreadable, SafeText(mistake.text),
        SafeText(mistake.choices.joined(separator: ", ")), number: mistake.choices.count)
    }
  }

  /// Returns a part, truncated to about `columns` cells; nil where the request lacks it.
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
  /// Text for use within a list of words.
  package var inLowerCase: SafeText { SafeText(string.lowercased()) }
}

extension ProductOrder {
  /// Name of the order.
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
  /// Name of the filter.
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
