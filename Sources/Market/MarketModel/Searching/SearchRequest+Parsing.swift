/// Parsing of search lines: every text is a valid request, and all but keywords are search words.
extension SearchRequest {
  /// Parses a line with keywords in any language.
  package init(reading line: String) {
    self.init()
    for token in SearchToken.tokens(of: line) { add(token) }
  }

  /// Parses words and phrases only: just quotes and the exclusion sign have a meaning.
  package static func terms(reading text: String) -> [SearchTerm] {
    SearchToken.tokens(of: text).compactMap { token in
      SearchTerm(
        (token.sign == .seller ? "@" : "") + token.whole, isExcluded: token.sign == .without)
    }
  }

  /// Parses sellers only, with or without the `@` before them.
  package static func sellers(reading text: String) -> [SellerMention] {
    SearchToken.tokens(of: text).compactMap { token in
      SellerMention(token.sign == .without ? "-" + token.whole : token.whole, token.isQuoted)
    }
  }

  private mutating func add(_ token: SearchToken) {
    switch token.sign {
    case .without: add(word: token.text, isExcluded: true)
    case .seller: sellers += [SellerMention(token.whole, token.isQuoted)].compactMap(\.self)
    case nil where token.isQuoted: add(word: token.text)
    case nil:
      if !addKeyword(token), !addBound(token.whole) { add(word: token.whole) }
    }
  }

  private mutating func add(word: String, isExcluded: Bool = false) {
    // A blank term is still being typed.
    guard let term = SearchTerm(word, isExcluded: isExcluded) else { return }
    terms.append(term)
  }

  // MARK: Keywords

  /// Applies a keyword; false where the token is none.
  private mutating func addKeyword(_ token: SearchToken) -> Bool {
    let text = token.text.lowercased()
    for keyword in SearchKeyword.all {
      for spelling in keyword.spellings {
        guard text.hasPrefix(spelling), token.value == nil || spelling.hasSuffix(":") else {
          continue
        }
        let rest = token.value ?? String(token.text.dropFirst(spelling.count))
        if add(keyword.meaning, rest, isQuoted: token.value != nil) { return true }
      }
    }
    return false
  }

  private mutating func add(
    _ meaning: SearchKeyword.Meaning, _ rest: String, isQuoted: Bool
  ) -> Bool {
    switch meaning {
    case .choice(let field, let values):
      guard rest.isEmpty else { return false }
      // A price has one currency; other choices combine.
      choices[field] = field == .currency ? values : values.union(choices[field] ?? [])
    case .filter(let filter):
      guard rest.isEmpty else { return false }
      filters.insert(filter)
    case .order(let order):
      guard rest.isEmpty else { return false }
      self.order = order
    case .scope(let scope):
      guard rest.isEmpty else { return false }
      self.scope = scope
    case .age:
      guard !isQuoted, let age = SearchAge(reading: rest) else { return false }
      self.age = age
    case .place:
      guard SearchTerm(rest) != nil, TextLimit.place.allows(rest) else { return false }
      place = rest
    case .market:
      guard SearchTerm(rest) != nil else { return false }
      scope = .market(rest)
    case .code:
      guard let code = Self.code(rest, isQuoted: isQuoted) else { return false }
      currency = code
    }
    return true
  }

  /// Parses a currency of three letters, in any case, or any quoted code.
  private static func code(_ text: String, isQuoted: Bool) -> Currency? {
    if isQuoted { return text.isEmpty ? nil : Currency(rawValue: text) }
    guard text.count == 3, text.allSatisfy({ $0.isASCII && $0.isLetter }) else { return nil }
    return Currency(rawValue: text.uppercased())
  }

  // MARK: Bounds

  /// Returns what is wrong with the amounts of a line's bounds, which are treated as words then; a
  /// text that is no amount at all is a word without an error.
  ///
  /// With `isOpen`, errors that further typing may correct are left out.
  package static func amountErrors(in line: String, isOpen: Bool = false) -> [AmountError] {
    let currency = SearchRequest(reading: line).currency
    let tokens = SearchToken.tokens(of: line).filter { $0.sign == nil && !$0.isQuoted }
    return tokens.flatMap { bounds(of: $0.whole) }.compactMap { text in
      do throws(AmountError) {
        let amount = try Amount(reading: text)
        if let currency { _ = try amount.hundredths(in: currency) }
        return nil
      } catch {
        return error == .noAmount || isOpen && Amount.canBegin(text) ? nil : error
      }
    }
  }

  /// Returns the words of a line that begin like a keyword or a bound without being one; they are
  /// treated as words.
  package static func keywordMistakes(in line: String) -> [SearchSyntaxError] {
    SearchToken.tokens(of: line).filter { $0.sign == nil && !$0.isQuoted }.compactMap { token in
      var request = SearchRequest()
      if request.addKeyword(token) || request.addBound(token.whole) { return nil }
      if let sign = signs.first(where: { token.whole.hasPrefix($0.text) }) {
        let isNone = bounds(of: token.whole).allSatisfy { text in
          do throws(AmountError) {
            _ = try Amount(reading: text)
            return false
          } catch {
            return error == .noAmount
          }
        }
        return isNone ? SearchSyntaxError(text: token.whole, choices: [sign.text + "12000"]) : nil
      }
      let choices = SearchKeyword.choices(besides: token.whole)
      return choices.isEmpty ? nil : SearchSyntaxError(text: token.whole, choices: choices)
    }
  }

  /// Returns the texts of the bounds in a word.
  private static func bounds(of text: String) -> [String] {
    if let sign = signs.first(where: { text.hasPrefix($0.text) }) {
      return [String(text.dropFirst(sign.text.count))]
    }
    guard let dots = text.ranges(of: "..").first else { return [] }
    return [String(text[..<dots.lowerBound]), String(text[dots.upperBound...])]
  }

  private static let signs: [(text: String, isMinimum: Bool)] = [
    ("<=", false), (">=", true), ("≤", false), ("≥", true), ("<", false), (">", true),
  ]

  /// Applies one bound or both; false where the text is none.
  private mutating func addBound(_ text: String) -> Bool {
    if let sign = Self.signs.first(where: { text.hasPrefix($0.text) }) {
      let rest = String(text.dropFirst(sign.text.count))
      // The number is still being typed.
      if rest.isEmpty { return true }
      guard let bound = try? Amount(reading: rest) else { return false }
      if sign.isMinimum {
        price.minimum = bound.hundredths
      } else {
        price.maximum = bound.hundredths
      }
      currency = bound.currency ?? currency
      return true
    }
    guard let dots = text.ranges(of: "..").first else { return false }
    let (first, last) = (String(text[..<dots.lowerBound]), String(text[dots.upperBound...]))
    let (low, high) = (try? Amount(reading: first), try? Amount(reading: last))
    // `..` followed by a point is no range.
    guard last.first != ".", low != nil || first.isEmpty, high != nil || last.isEmpty,
      low != nil || high != nil
    else { return false }
    price = PriceRange(minimum: low?.hundredths, maximum: high?.hundredths)
    if let low = price.minimum, let high = price.maximum, low > high {
      price = PriceRange(minimum: high, maximum: low)
    }
    currency = high?.currency ?? low?.currency ?? currency
    return true
  }
}

/// Word of a search line that resembles a keyword or a bound.
package struct SearchSyntaxError: Hashable, Sendable {
  package let text: String
  /// Suggested replacements, as typed.
  package let choices: [String]
}

extension SellerMention {
  /// Parses a name, or an unquoted number as in `#12`; nil for a blank one.
  fileprivate init?(_ text: String, _ isQuoted: Bool) {
    if !isQuoted, text.first == "#", let number = Int64(text.dropFirst()),
      text.dropFirst() == String(number)
    {
      self = .number(Seller.ID(rawValue: number))
    } else if SearchTerm(text) != nil {
      self = .name(text)
    } else {
      return nil
    }
  }
}

extension SearchAge {
  /// Parses a number with a unit of any language, such as `7d`; nil for anything else.
  init?(reading text: String) {
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    let word = text[digits.endIndex...].lowercased()
    let unit = Unit.allCases.first { unit in
      SearchLanguage.allCases.contains { unit.spellings(in: $0).contains(word) }
    }
    guard let unit, let count = Int64(digits) else { return nil }
    self.init(count, unit)
  }
}

/// Token of a search line, separated by white space outside of quotes.
struct SearchToken: Hashable {
  /// Sign before a token that changes its meaning.
  enum Sign: Hashable {
    case without
    case seller
  }

  var sign: Sign?
  /// Text without sign and quotes.
  var text = ""
  var isQuoted = false
  /// Quoted text after a colon, as in `in:"two words"`; nil for none.
  var value: String?

  /// Text including the quoted part after it.
  var whole: String { text + (value ?? "") }

  /// Returns the tokens of a line, split by scalars, as a combining mark at the beginning of a word
  /// would join the character before it.
  static func tokens(of line: String) -> [SearchToken] {
    var rest = line.unicodeScalars[...]
    var tokens: [SearchToken] = []
    while true {
      rest = rest.drop(while: \.properties.isWhitespace)
      guard !rest.isEmpty else { return tokens }
      tokens.append(next(in: &rest))
    }
  }

  private static func next(in rest: inout Substring.UnicodeScalarView) -> SearchToken {
    var token = SearchToken()
    switch rest.first {
    case "-": token.sign = .without
    case "@": token.sign = .seller
    default: break
    }
    if token.sign != nil { rest.removeFirst() }
    if rest.first == "\"" {
      token.text = quoted(in: &rest)
      token.isQuoted = true
      return token
    }
    var text = String.UnicodeScalarView()
    while let scalar = rest.first, !scalar.properties.isWhitespace {
      if scalar == "\"", token.sign == nil, begins(String(text)) {
        token.value = quoted(in: &rest)
        break
      }
      text.append(scalar)
      rest.removeFirst()
    }
    token.text = String(text)
    return token
  }

  /// Whether a text is a keyword that takes an argument.
  private static func begins(_ text: String) -> Bool {
    text.hasSuffix(":")
      && SearchKeyword.all.contains { keyword in
        SearchLanguage.allCases.contains {
          keyword.spellings(in: $0).contains(text.lowercased())
        }
      }
  }

  /// Removes and returns a quoted text, up to the closing quote or the end of the line.
  private static func quoted(in rest: inout Substring.UnicodeScalarView) -> String {
    rest.removeFirst()
    var text = String.UnicodeScalarView()
    while let scalar = rest.popFirst() {
      if scalar == "\"" { break }
      guard scalar == "\\", let next = rest.first, next == "\"" || next == "\\" else {
        text.append(scalar)
        continue
      }
      text.append(next)
      rest.removeFirst()
    }
    return String(text)
  }
}
