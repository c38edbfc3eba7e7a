internal import MarketModel
import MarketStrings
package import SafeTextKit

/// Forms that the search line understands, with an example and a meaning each.
package enum SearchSyntax: CaseIterable {
  case words, phrase, without, price, filters, kind, place, seller, age, order, scope

  /// Returns an example in a language.
  package func sample(_ language: Language) -> SafeText {
    let request =
      switch self {
      case .words: SearchRequest(terms: terms(language, [.sampleWord]))
      case .phrase: SearchRequest(terms: terms(language, [.samplePhrase]))
      case .without: SearchRequest(terms: terms(language, [.sampleWord], isExcluded: true))
      case .price:
        switch language {
        case .korean: price(in: .krw, from: 50_000, to: 200_000)
        case .english: price(in: .usd, from: 50, to: 200)
        }
      case .filters: SearchRequest(filters: [.reduced, .available])
      case .kind: choices(.sports)
      case .place: place(language)
      case .seller: SearchRequest(sellers: [.name(Strings(language)[.sampleSeller].string)])
      case .age: SearchRequest(age: SearchAge(7, .day))
      case .order: SearchRequest(order: .cheapest)
      case .scope: SearchRequest(scope: .all)
      }
    return SafeText(request.line(in: language.ofSearch))
  }

  private func choices(_ category: ProductCategory) -> SearchRequest {
    var request = SearchRequest()
    request.choices = [.category: [category.rawValue], .condition: ProductCondition.used]
    return request
  }

  private func place(_ language: Language) -> SearchRequest {
    var request = SearchRequest()
    request.place = Strings(language)[.samplePlace].string
    return request
  }

  private func price(
    in currency: Currency, from minimum: Int64, to maximum: Int64
  ) -> SearchRequest {
    SearchRequest(
      price: PriceRange(minimum: minimum * 100, maximum: maximum * 100), currency: currency)
  }

  private func terms(
    _ language: Language, _ phrases: [Phrase], isExcluded: Bool = false
  ) -> [SearchTerm] {
    phrases.compactMap { SearchTerm(Strings(language)[$0].string, isExcluded: isExcluded) }
  }

  package var meaning: Phrase {
    switch self {
    case .words: .syntaxWords
    case .phrase: .syntaxPhrase
    case .without: .syntaxWithout
    case .price: .syntaxPrice
    case .filters: .syntaxFilters
    case .kind: .syntaxKind
    case .place: .syntaxPlace
    case .seller: .syntaxSeller
    case .age: .syntaxAge
    case .order: .syntaxOrder
    case .scope: .syntaxScope
    }
  }
}
