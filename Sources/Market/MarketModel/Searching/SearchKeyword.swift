/// Language of a search line; the parser accepts all of them at any time.
package enum SearchLanguage: Hashable, Sendable, CaseIterable {
  case english
  case korean
}

/// Keyword of the search line, with its meaning and spellings.
///
/// `all` is the only table: parser, formatter, completion and hints loop over it.
package struct SearchKeyword: Hashable, Sendable {
  package enum Meaning: Hashable, Sendable {
    /// Any of these values of a choice field.
    case choice(ProductField, Set<String>)
    case filter(ProductFilter)
    case order(ProductOrder)
    case scope(SearchScope)
    /// Prefix of an age: a number and a unit follow.
    case age
    /// Prefix of the beginning of a place or of a later word of it.
    case place
    /// Prefix of a market's name.
    case market
    /// Prefix of the code of a currency without a keyword.
    case code
  }

  package let meaning: Meaning
  /// Spellings in lower case, the preferred one first; prefixes end in a colon.
  private let english: [String]
  private let korean: [String]

  private init(_ meaning: Meaning, _ english: [String], _ korean: [String]) {
    self.meaning = meaning
    self.english = english
    self.korean = korean
  }

  /// All spellings that the parser accepts.
  package var spellings: [String] { english + korean }

  /// Returns the spellings in a language, the preferred one first.
  package func spellings(in language: SearchLanguage) -> [String] {
    switch language {
    case .english: english
    case .korean: korean
    }
  }

  package func spelling(in language: SearchLanguage) -> String {
    spellings(in: language).first ?? english.first ?? ""
  }

  package static let all: [SearchKeyword] =
    [
      SearchKeyword(.filter(.reduced), ["sale"], ["할인", "할인중"]),
      SearchKeyword(.filter(.inStock), ["stock"], ["재고", "재고있음"]),
      SearchKeyword(.filter(.available), ["is:available"], ["거래가능"]),
      SearchKeyword(.filter(.reserved), ["is:reserved"], ["예약중"]),
      SearchKeyword(.filter(.sold), ["is:sold"], ["판매완료"]),
      SearchKeyword(.place, ["near:"], ["지역:"]),
      SearchKeyword(.choice(.currency, ["KRW"]), ["krw", "₩"], ["원", "원화"]),
      SearchKeyword(.choice(.currency, ["USD"]), ["usd", "$"], ["달러"]),
      SearchKeyword(.code, ["currency:"], ["통화:"]),
      SearchKeyword(.age, ["new:"], ["최근:", "새상품:", "신상:"]),
      SearchKeyword(.order(.cheapest), ["sort:price-asc"], ["정렬:낮은가격", "정렬:싼것"]),
      SearchKeyword(.order(.priceDescending), ["sort:price-desc"], ["정렬:높은가격", "정렬:비싼것"]),
      SearchKeyword(.order(.biggestDiscount), ["sort:discount"], ["정렬:할인율", "정렬:할인"]),
      SearchKeyword(.order(.newest), ["sort:newest"], ["정렬:최신", "정렬:새것"]),
      SearchKeyword(.scope(.all), ["in:all"], ["마켓:전체"]),
      SearchKeyword(.scope(.home), ["in:home"], ["마켓:로컬"]),
      SearchKeyword(.market, ["in:"], ["마켓:"]),
    ] + ofChoices

  /// Keywords `FIELD:VALUE` of all choice fields, in both languages; one line may have several of
  /// them.
  private static let ofChoices = ProductField.choices.flatMap { field -> [SearchKeyword] in
    guard case .choice(let names) = field.kind else { return [] }
    let beginnings = [shortNames[field], field.rawValue].compactMap(\.self)
    let korean = koreanNames[field] ?? ("", [])
    let words = korean.words + Array(repeating: "", count: names.count)
    let keywords = zip(names, words).map { name, word in
      SearchKeyword(
        .choice(field, [name]), beginnings.map { $0 + ":" + name },
        word.isEmpty ? [] : [korean.beginning + ":" + word])
    }
    return keywords + (field == .condition ? [used] : [])
  }

  private static let used = SearchKeyword(
    .choice(.condition, ProductCondition.used), ["cond:used", "condition:used"], ["상태:중고"])

  private static let shortNames: [ProductField: String] = [.category: "cat", .condition: "cond"]

  /// Prefix before the colon, and the values in the order of the field's.
  private static let koreanNames: [ProductField: (beginning: String, words: [String])] = [
    .category: (
      "분류",
      [
        "전자", "컴퓨터", "가구", "주방", "의류", "미용", "스포츠", "야외", "책", "음악", "장난감", "유아", "반려동물",
        "공구", "기타",
      ]
    ),
    .condition: ("상태", ["새것", "거의새것", "좋음", "보통", "부품용"]),
  ]

  /// Returns the keyword of a meaning; nil for meanings with arguments or without a keyword.
  package static func keyword(of meaning: Meaning) -> SearchKeyword? {
    all.first { $0.meaning == meaning }
  }

  /// Returns the spellings that complete a text, in the given language first; only in that one for an
  /// empty text.
  package static func completions(of text: String, in language: SearchLanguage) -> [String] {
    let others = text.isEmpty ? [] : SearchLanguage.allCases.filter { $0 != language }
    let begun = text.lowercased()
    return ([language] + others).flatMap { language in
      all.compactMap { keyword in
        keyword.spellings(in: language).first { $0.hasPrefix(begun) && $0 != begun }
      }
    }
  }

  /// Returns the keywords with the prefix of a word up to its colon, in the language of that prefix.
  static func choices(besides word: String) -> [String] {
    guard let colon = word.firstIndex(of: ":") else { return [] }
    let beginning = word[...colon].lowercased()
    return SearchLanguage.allCases.flatMap { language in
      all.compactMap { keyword in
        keyword.spellings(in: language).first { $0.hasPrefix(beginning) }
          .map { $0 + keyword.sampleEnd(in: language) }
      }
    }
  }

  /// Returns a sample of the argument after the colon.
  private func sampleEnd(in language: SearchLanguage) -> String {
    switch meaning {
    case .age: "7" + (SearchAge.Unit.day.spellings(in: language).first ?? "")
    case .code: "EUR"
    case .market: "\"…\""
    case .place: language == .korean ? "서울" : "Seoul"
    case .choice, .filter, .order, .scope: ""
    }
  }

  /// Whether a word is an incomplete keyword, such as `sort:pri` or `new:7`.
  package static func isBegun(by word: String) -> Bool {
    let word = word.lowercased()
    guard word.contains(":") else { return false }
    return all.contains { keyword in
      keyword.spellings.contains { spelling in
        if spelling.hasPrefix(word) { return spelling != word || spelling.hasSuffix(":") }
        guard spelling.hasSuffix(":"), word.hasPrefix(spelling) else { return false }
        return keyword.lacksEnd(word.dropFirst(spelling.count))
      }
    }
  }

  /// Whether the argument after the colon is incomplete.
  private func lacksEnd(_ rest: Substring) -> Bool {
    switch meaning {
    case .age: rest.allSatisfy { $0.isASCII && $0.isNumber }
    case .code: rest.count < 3
    case .choice, .filter, .order, .scope, .market, .place: false
    }
  }
}

extension SearchAge.Unit {
  /// Returns the spellings of the unit after its number, the preferred one first.
  package func spellings(in language: SearchLanguage) -> [String] {
    switch (self, language) {
    case (.hour, .english): ["h", "hour", "hours"]
    case (.day, .english): ["d", "day", "days"]
    case (.week, .english): ["w", "week", "weeks"]
    case (.month, .english): ["m", "month", "months"]
    case (.year, .english): ["y", "year", "years"]
    case (.hour, .korean): ["시간"]
    case (.day, .korean): ["일"]
    case (.week, .korean): ["주", "주일"]
    case (.month, .korean): ["달", "개월"]
    case (.year, .korean): ["년"]
    }
  }
}
