/// Amount of money as a user writes it: `12,000원`, `$12.50`, `1만5천`.
///
/// The one parser of amounts, for forms, commands, tables and searches. Parse with `init(reading:)`,
/// then call `hundredths(in:)` once the currency is known: from a column, an option, a product, or
/// the text (`currency`). Both throw an `AmountError`, whose cases are all that can be wrong.
///
/// Three digits after every `.` or `,` are groups, with one separator throughout and no leading 0;
/// one or two digits after the last separator are decimals. Digits may be of any script, and 만, 천, 억,
/// k and m follow theirs. A currency's words, signs or three-letter code may stand before the number,
/// after it, or both: `US$20`, `USD $20`.
package struct Amount: Hashable, Sendable {
  /// Currency named in the text; nil where none is.
  package let currency: Currency?
  /// Value in hundredths of the main unit.
  package let hundredths: Int64
  /// Whether decimals are written, including zeros.
  private let hasDecimals: Bool

  /// Maximum length in scalars; longer texts are `.noAmount`, so that a pasted megabyte is not
  /// parsed.
  private static let longest = 100

  /// - Throws: `.noAmount` for an empty or longer text, one that is no amount, or one with two
  ///   currencies; `.ambiguous` where decimals and groups are both possible; `.tooLarge` past
  ///   `Int64`; `.negative`.
  package init(reading text: String) throws(AmountError) {
    guard text.unicodeScalars.prefix(Self.longest + 1).count <= Self.longest else {
      throw .noAmount
    }
    var rest = Substring(AmountCharacters.plain(text)).trimmed
    var isNegative = rest.dropSign()
    currency = try rest.dropCurrency()
    isNegative = rest.dropSign() || isNegative
    let sum = try AmountSum(rest)
    if isNegative { throw .negative }
    (hundredths, hasDecimals) = (sum.hundredths, sum.hasDecimals)
  }

  /// Returns the amount in hundredths of this currency.
  ///
  /// Programs write decimals of whole numbers (`12000.0`), people do not: with `zeros` true they are
  /// none.
  ///
  /// - Throws: `.otherCurrency` where the text names another one; `.decimals` where decimals are
  ///   written and the currency has none.
  package func hundredths(
    in currency: Currency, takingZeros zeros: Bool = false
  ) throws(AmountError) -> Int64 {
    if let named = self.currency, named != currency {
      throw .otherCurrency(named, instead: currency)
    }
    if currency.usualDecimals == 0, !isWhole(zeros) { throw .decimals(currency) }
    return hundredths
  }

  /// Parses a whole number without a currency, such as a stock; `zeros` as in `hundredths`.
  ///
  /// - Throws: what `init(reading:)` throws; `.noAmount` for a currency or decimals.
  package static func count(
    reading text: String, takingZeros zeros: Bool = false
  ) throws(AmountError) -> Int64 {
    let amount = try Amount(reading: text)
    guard amount.currency == nil, amount.isWhole(zeros) else { throw .noAmount }
    return amount.hundredths / 100
  }

  private func isWhole(_ zeros: Bool) -> Bool {
    !hasDecimals || zeros && hundredths.isMultiple(of: 100)
  }

  /// Whether a text is an amount or the beginning of one.
  package static func canBegin(_ text: String) -> Bool {
    wordEnds.contains { word in
      ["", "0", "00"].contains { (try? Amount(reading: text + word + $0)) != nil }
    }
  }

  /// Endings that complete a partly typed currency name.
  private static let wordEnds: Set<String> = {
    let words = SearchKeyword.all.flatMap { keyword in
      if case .choice(.currency, _) = keyword.meaning {
        SearchLanguage.allCases.flatMap(keyword.spellings)
      } else {
        [String]()
      }
    }
    return Set(
      ["", "a", "aa"]
        + words.flatMap { word in (1..<word.count).map { String(word.dropFirst($0)) } })
  }()
}

/// Reason why a text is no valid amount.
package enum AmountError: Error, Hashable, Sendable {
  /// The text has two readings: with a decimal point, and with groups alone, as in `1,234.5` and
  /// `12,345`. Both keep the words for large numbers and omit the currency.
  case ambiguous(decimal: String, grouped: String)
  /// Decimals, in a currency that has none.
  case decimals(Currency)
  /// The text names the first currency; the amount is of the second.
  case otherCurrency(Currency, instead: Currency)
  /// The text is empty or no amount.
  case noAmount
  case tooLarge
  case negative
}

/// Sum of the parts before words for large numbers, as in `3만5천`.
private struct AmountSum {
  private(set) var hundredths: Int64 = 0
  private(set) var hasDecimals = false

  /// Words for large numbers, those of one language in descending order.
  private static let multipliers: [(text: String, factor: Int64)] = [
    ("억", 100_000_000), ("만", 10_000), ("천", 1_000), ("m", 1_000_000), ("k", 1_000),
  ]

  /// Adds up the parts of a text.
  ///
  /// - Throws: `.noAmount`, `.ambiguous` or `.tooLarge`.
  init(_ text: Substring) throws(AmountError) {
    guard !text.isEmpty else { throw .noAmount }
    var rest = text
    // The next part has to be less than a unit of the last digit, or the parts would overlap.
    var limit = Int64.max
    while !rest.isEmpty {
      let digits = rest.prefix(while: AmountNumber.isPart)
      let tail = rest[digits.endIndex...]
      let word = Self.multipliers.first { tail.hasPrefix($0.text) }
      guard word != nil || tail.isEmpty else { throw .noAmount }
      rest = tail.dropFirst(word?.text.count ?? 0).trimmed
      do throws(AmountError) {
        let number = try AmountNumber(digits, isMultiplied: word != nil)
        try add(number, times: word?.factor ?? 1, below: limit)
        limit = (word?.factor ?? 1) * 100 / number.parts
      } catch .ambiguous(let decimal, let grouped) {
        let (before, behind) = (text[..<digits.startIndex], text[digits.endIndex...])
        throw .ambiguous(
          decimal: "\(before)\(decimal)\(behind)", grouped: "\(before)\(grouped)\(behind)")
      }
      hasDecimals = word == nil && limit < 100
    }
  }

  private mutating func add(
    _ number: AmountNumber, times factor: Int64, below limit: Int64
  ) throws(AmountError) {
    let unit = factor * 100 / number.parts
    let (part, isTooLarge) = number.count.multipliedReportingOverflow(by: unit)
    if isTooLarge { throw .tooLarge }
    guard part < limit || limit == .max else { throw .noAmount }
    let (sum, overflow) = hundredths.addingReportingOverflow(part)
    if overflow { throw .tooLarge }
    hundredths = sum
  }
}

/// Digits with groups and decimals, as a count of wholes, tenths or hundredths.
private struct AmountNumber {
  let count: Int64
  /// Parts of a whole: 1, 10 or 100.
  let parts: Int64

  static func isPart(_ character: Character) -> Bool {
    isSeparator(character) || character.isASCII && character.isNumber
  }

  private static func isSeparator(_ character: Character) -> Bool {
    character == "." || character == ","
  }

  /// Parses digits; before a word for a large number a point with three digits is ambiguous: `1.234만`
  /// may be 12,340.
  ///
  /// - Throws: `.noAmount`, `.ambiguous` or `.tooLarge`.
  init(_ text: Substring, isMultiplied: Bool) throws(AmountError) {
    var groups = text.split(omittingEmptySubsequences: false, whereSeparator: Self.isSeparator)
    var separators = text.filter(Self.isSeparator)
    // A trailing point is allowed, as while typing.
    let endsInPoint = groups.count > 1 && groups.last?.isEmpty == true && text.count > 1
    if endsInPoint {
      groups.removeLast()
      separators.removeLast()
    }
    guard let first = groups.first, let last = groups.last,
      groups.dropFirst().allSatisfy({ !$0.isEmpty }), !(first.isEmpty && groups.count == 1)
    else { throw .noAmount }
    let isPlain = groups.count == 1
    let pointIsOpen = isMultiplied && separators == "."
    if isPlain || !pointIsOpen && Self.areGroups(groups, separators) {
      try self.init(digits: groups.joined(), parts: 1)
    } else if endsInPoint {
      throw .noAmount
    } else if (1...2).contains(last.count), Self.areWhole(groups.dropLast(), separators) {
      try self.init(digits: groups.joined(), parts: last.count == 1 ? 10 : 100)
    } else {
      throw .ambiguous(
        decimal: Self.grouped(groups.dropLast().joined()) + Self.decimals(last),
        grouped: Self.grouped(groups.joined()))
    }
  }

  private init(digits: String, parts: Int64) throws(AmountError) {
    guard let count = Int64(digits) else { throw .tooLarge }
    (self.count, self.parts) = (count, parts)
  }

  /// Whether these are groups of thousands with one separator.
  private static func areGroups(_ groups: [Substring], _ separators: String) -> Bool {
    guard let first = groups.first else { return false }
    return (1...3).contains(first.count) && first.first != "0" && Set(separators).count == 1
      && groups.dropFirst().allSatisfy { $0.count == 3 }
  }

  /// Whether these may precede decimals: groups with the other separator, or one number.
  private static func areWhole(_ groups: ArraySlice<Substring>, _ separators: String) -> Bool {
    groups.count == 1
      || separators.dropLast().last != separators.last
        && areGroups(Array(groups), String(separators.dropLast()))
  }

  // MARK: Readings

  /// Returns digits as a number in groups.
  private static func grouped(_ digits: String) -> String {
    let digits = digits.drop { $0 == "0" }
    guard !digits.isEmpty else { return "0" }
    var text = ""
    for (offset, digit) in digits.enumerated() {
      if offset > 0, (digits.count - offset).isMultiple(of: 3) { text.append(",") }
      text.append(digit)
    }
    return text
  }

  /// Returns a decimal point and the digits without trailing zeros; empty where all are zeros.
  private static func decimals(_ digits: Substring) -> String {
    guard let last = digits.lastIndex(where: { $0 != "0" }) else { return "" }
    return "." + digits[...last]
  }
}

/// Normalization of the characters of amounts.
private enum AmountCharacters {
  /// Returns the text in lower case with ASCII digits and signs, without invisible characters.
  static func plain(_ text: String) -> String {
    let scalars = text.unicodeScalars.compactMap(plain)
    return String(String.UnicodeScalarView(scalars)).lowercased()
  }

  /// Returns the normalized scalar; nil for an invisible one.
  private static func plain(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
    switch scalar {
    case "￦": return "₩"
    case "﹩": return "$"
    case "−", "–", "﹣": return "-"
    // The full-width forms of ASCII, in its order.
    case "！"..."～": return Unicode.Scalar(scalar.value - 0xFEE0)
    default: break
    }
    switch scalar.properties.generalCategory {
    case .format: return nil
    case .decimalNumber:
      return scalar.properties.numericValue.flatMap { Unicode.Scalar(UInt8(48 + $0)) }
    default: return scalar
    }
  }
}

extension Substring {
  /// The text without leading and trailing white space.
  package var trimmed: Substring {
    let start = drop(while: \.isWhitespace)
    guard let last = start.lastIndex(where: { !$0.isWhitespace }) else { return start }
    return start[...last]
  }

  /// Removes a leading minus sign; returns whether there was one.
  fileprivate mutating func dropSign() -> Bool {
    guard first == "-" else { return false }
    self = dropFirst().trimmed
    return true
  }

  /// Removes a currency's word at both ends, or a code of three letters at one.
  fileprivate mutating func dropCurrency() throws(AmountError) -> Currency? {
    var named: Currency?
    for atEnd in [false, true] {
      while let word = dropWord(atEnd: atEnd) {
        if let named, named != word { throw .noAmount }
        named = word
      }
    }
    return named ?? dropCode()
  }

  private mutating func dropWord(atEnd: Bool) -> Currency? {
    for keyword in SearchKeyword.all {
      guard case .choice(.currency, let code) = keyword.meaning else { continue }
      let words = SearchLanguage.allCases.flatMap(keyword.spellings)
      // `US$` before `$`, which it ends in.
      let longer = words.filter { $0 == "$" }.flatMap { ["us" + $0, "us " + $0] }
      for word in longer + words where atEnd ? hasSuffix(word) : hasPrefix(word) {
        self = (atEnd ? dropLast(word.count) : dropFirst(word.count)).trimmed
        return code.first.map(Currency.init)
      }
    }
    return nil
  }

  /// Removes a three-letter code that is no part of a longer word.
  private mutating func dropCode() -> Currency? {
    let isLetter = { (character: Character) in character.isASCII && character.isLetter }
    let before = prefix(while: isLetter)
    let behind = suffix(while: isLetter)
    if before.count == 3, behind.isEmpty {
      self = dropFirst(3).trimmed
      return Currency(rawValue: before.uppercased())
    }
    guard behind.count == 3, before.isEmpty else { return nil }
    self = dropLast(3).trimmed
    return Currency(rawValue: behind.uppercased())
  }

  private func suffix(while condition: (Character) -> Bool) -> Substring {
    guard let last = lastIndex(where: { !condition($0) }) else { return self }
    return self[index(after: last)...]
  }
}
