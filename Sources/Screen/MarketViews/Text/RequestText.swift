internal import MarketModel
import MarketStrings
internal import MarketViewModels
internal import SafeTextKit

/// Texts of a search request in chips, fields and notes.
@MainActor enum RequestText {
  /// Returns the text of a part as a chip in up to about `columns`; nil where the request lacks the
  /// part.
  static func chip(
    _ part: QueryPart, of request: SearchRequest, isOwn: Bool, columns: Int = .max,
    _ strings: Strings
  ) -> SafeText? {
    let text = QueryText.chip(part, of: request, columns: columns, strings)
    return isOwn && part == .seller ? text.map { _ in strings[.filterMine].inLowerCase } : text
  }

  /// Returns the note on a part of a request that cannot be met.
  static func note(_ note: SearchController.Note, _ strings: Strings) -> SafeText {
    switch note {
    case .unknownSeller(let name): strings(.searchUnknownSeller, SafeText(name))
    case .failed(let error): ErrorText.text(error, strings)
    case .unanswered(let part): strings(.searchUnanswered, strings[part.phrase])
    case .unsorted(let order): strings(.searchUnsorted, strings[order.phrase])
    }
  }

  /// Returns the text of a choice in the filter dialog.
  static func choice(_ choice: FilterModel.Choice, _ strings: Strings) -> SafeText {
    switch choice {
    case .any: strings[.filterAny]
    case .filter(.reduced): strings[.filterOnly]
    case .filter(let filter): strings[filter.phrase]
    case .answers(let answers, let field):
      field.text(of: answers, strings) ?? SafeText(answers.sorted().joined(separator: ", "))
    case .age(let age): self.age(age, strings)
    case .order(let order): strings[order.phrase]
    case .scope(let scope): self.scope(scope, strings)
    }
  }

  private static func age(_ age: SearchAge, _ strings: Strings) -> SafeText {
    let phrase: Phrase =
      switch age.unit {
      case .hour: .withinHours
      case .day: .withinDays
      case .week: .withinWeeks
      case .month: .withinMonths
      case .year: .withinYears
      }
    return strings(
      phrase, SafeText(String(grouped: age.count)), number: Int(clamping: age.count))
  }

  private static func scope(_ scope: SearchScope, _ strings: Strings) -> SafeText {
    switch scope {
    case .here: strings[.scopeHere]
    case .all: strings[.scopeAll]
    case .home: strings[.scopeHome]
    case .market(let name): SafeText(name)
    }
  }
}

extension QueryPart {
  /// Name of the part.
  var phrase: Phrase {
    switch self {
    case .words: .filterWords
    case .phrases: .partPhrases
    case .without: .partWithout
    case .price: .partPrice
    case .choice(let field): field.phrase
    case .place: ProductField.place.phrase
    case .filter(let filter): filter.phrase
    case .seller: .filterSeller
    case .since: .filterNew
    case .ids: .partIDs
    }
  }
}
