/// Amount of a bound of the price as people type it: `200000`, `200,000`, `12.50`, `20만`, `$50`.
package struct SearchAmount: Hashable, Sendable {
  package let hundredths: Int64
  /// Where the amount names one, as `20만원` does.
  package private(set) var currency: Currency?

  /// Words for large numbers, each after its digits, the larger ones first.
  private static let multipliers: [(text: String, factor: Int64)] = [
    ("억", 100_000_000), ("만", 10_000), ("천", 1_000), ("m", 1_000_000), ("k", 1_000),
  ]

  /// Nil for what is no amount, has more than two decimals, or does not fit.
  package init?(_ text: String) {
    let (rest, currency) = Self.withoutCurrency(text.lowercased())
    guard let amount = Self.amount(rest) else { return nil }
    hundredths = amount
    self.currency = currency
  }

  /// The text without a currency's word before or behind it.
  private static func withoutCurrency(_ text: String) -> (rest: String, currency: Currency?) {
    for keyword in SearchKeyword.all {
      guard case .currency(let currency) = keyword.meaning else { continue }
      for word in SearchLanguage.allCases.flatMap(keyword.spellings) {
        if text.hasPrefix(word) { return (String(text.dropFirst(word.count)), currency) }
        if text.hasSuffix(word) { return (String(text.dropLast(word.count)), currency) }
      }
    }
    return (text, nil)
  }

  /// Adds up what stands before words for large numbers, as in `3만5천`.
  private static func amount(_ text: String) -> Int64? {
    var sum: Int64 = 0
    var rest = text[...]
    var largest = Int64.max
    while !rest.isEmpty {
      let digits = rest.prefix { $0.isASCII && ($0.isNumber || $0 == "," || $0 == ".") }
      rest = rest[digits.endIndex...]
      let factor = multipliers.first { rest.hasPrefix($0.text) }
      rest = rest.dropFirst(factor?.text.count ?? 0)
      guard factor != nil || rest.isEmpty, (factor?.factor ?? 1) < largest else { return nil }
      largest = factor?.factor ?? 1
      guard let part = hundredths(String(digits), times: largest) else { return nil }
      let (added, overflow) = sum.addingReportingOverflow(part)
      guard !overflow else { return nil }
      sum = added
    }
    return text.isEmpty ? nil : sum
  }

  /// Hundredths of digits with commas between thousands and at most two decimals, or four and eight
  /// more where these are multiplied away, as in `1.25만`.
  private static func hundredths(_ digits: String, times factor: Int64) -> Int64? {
    let parts = digits.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard let whole = units(parts[0]) else { return nil }
    var (amount, overflow) = whole.multipliedReportingOverflow(by: 100)
    guard !overflow else { return nil }
    (amount, overflow) = amount.multipliedReportingOverflow(by: factor)
    guard !overflow else { return nil }
    guard parts.count > 1 else { return amount }
    var place = factor * 100
    for digit in parts[1] {
      guard let value = digit.wholeNumberValue, place % 10 == 0 else { return nil }
      place /= 10
      (amount, overflow) = amount.addingReportingOverflow(Int64(value) * place)
      guard !overflow else { return nil }
    }
    return amount
  }

  private static func units(_ text: Substring) -> Int64? {
    let groups = text.split(separator: ",", omittingEmptySubsequences: false)
    guard let first = groups.first, !first.isEmpty else { return nil }
    guard groups.count == 1 || first.count <= 3, groups.dropFirst().allSatisfy({ $0.count == 3 })
    else { return nil }
    return Int64(groups.joined())
  }
}
