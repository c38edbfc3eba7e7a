/// Formatting of requests as search lines, which parse to the same request.
extension SearchRequest {
  /// Returns the search line in a language; empty for an empty request.
  package func line(in language: SearchLanguage) -> String {
    let word = { SearchKeyword.keyword(of: $0)?.spelling(in: language) }
    var pieces = terms.map(Self.text) + priceTexts
    pieces += ProductField.choices.flatMap { field in
      choices[field].map { Self.texts(of: $0, in: field, language) } ?? []
    }
    pieces += placeTexts(in: language) + sellers.map(Self.text)
    pieces += ProductFilter.allCases.filter(filters.contains).compactMap { word(.filter($0)) }
    if let age { pieces.append(Self.text(of: age, in: language)) }
    if order != .newest { pieces += [word(.order(order))].compactMap(\.self) }
    return (pieces + scopeTexts(in: language)).joined(separator: " ")
  }

  /// Returns the text of one part; empty where the request lacks it.
  package func text(of part: QueryPart, in language: SearchLanguage) -> String {
    var alone = only([part])
    (alone.order, alone.scope) = (.newest, .here)
    return alone.line(in: language)
  }

  /// Words and phrases, as typed.
  package var termsText: String { terms.map(Self.text).joined(separator: " ") }

  /// Sellers, as typed.
  package var sellersText: String { sellers.map(Self.text).joined(separator: " ") }

  /// Returns an age as in a search line.
  private static func text(of age: SearchAge, in language: SearchLanguage) -> String {
    let begin = SearchKeyword.keyword(of: .age)?.spelling(in: language) ?? ""
    return begin + String(age.count) + (age.unit.spellings(in: language).first ?? "")
  }

  // MARK: Pieces

  private static func text(_ term: SearchTerm) -> String {
    let sign = term.isExcluded ? "-" : ""
    let bare = sign + term.text
    return SearchRequest(reading: bare).terms == [term] ? bare : sign + quoted(term.text)
  }

  private static func text(_ mention: SellerMention) -> String {
    switch mention {
    case .number(let id): return "@#" + String(id.rawValue)
    case .name(let name):
      let bare = "@" + name
      return SearchRequest(reading: bare).sellers == [mention] ? bare : "@" + quoted(name)
    }
  }

  /// Both bounds as one range, or as two bounds where the minimum exceeds the maximum.
  private var priceTexts: [String] {
    let text = { String(hundredths: max(0, $0), decimals: .shortest) }
    switch (price.minimum, price.maximum) {
    case (let low?, let high?) where low <= high: return [text(low) + ".." + text(high)]
    case (let low, let high):
      return [low.map { ">" + text($0) }, high.map { "<" + text($0) }].compactMap(\.self)
    }
  }

  /// Returns one keyword for all values where there is one, else one for each.
  private static func texts(
    of values: Set<String>, in field: ProductField, _ language: SearchLanguage
  ) -> [String] {
    if let keyword = SearchKeyword.keyword(of: .choice(field, values)) {
      return [keyword.spelling(in: language)]
    }
    guard values.count == 1, let value = values.first else {
      return field.inOrder(values).flatMap { texts(of: [$0], in: field, language) }
    }
    let bare = named(.code, value, in: language)
    let isRead = SearchRequest(reading: bare).choices == [field: values]
    return [isRead ? bare : named(.code, quoted(value), in: language)]
  }

  private func placeTexts(in language: SearchLanguage) -> [String] {
    guard !place.isEmpty else { return [] }
    let bare = Self.named(.place, place, in: language)
    var alone = SearchRequest()
    alone.place = place
    let isRead = SearchRequest(reading: bare) == alone
    return [isRead ? bare : Self.named(.place, Self.quoted(place), in: language)]
  }

  private func scopeTexts(in language: SearchLanguage) -> [String] {
    switch scope {
    case .here: return []
    case .all, .home:
      return [SearchKeyword.keyword(of: .scope(scope))?.spelling(in: language) ?? ""]
    case .market(let name):
      let bare = Self.named(.market, name, in: language)
      let isRead = SearchRequest(reading: bare) == SearchRequest(scope: scope)
      return [isRead ? bare : Self.named(.market, Self.quoted(name), in: language)]
    }
  }

  /// Returns a prefix keyword with its argument.
  private static func named(
    _ meaning: SearchKeyword.Meaning, _ text: String, in language: SearchLanguage
  ) -> String {
    (SearchKeyword.keyword(of: meaning)?.spelling(in: language) ?? "") + text
  }

  private static func quoted(_ text: String) -> String {
    var quoted = "\"".unicodeScalars
    for scalar in text.unicodeScalars {
      if scalar == "\"" || scalar == "\\" { quoted.append("\\") }
      quoted.append(scalar)
    }
    quoted.append("\"")
    return String(quoted)
  }
}
