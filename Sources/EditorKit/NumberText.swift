/// A number as people write it: digits of any script, grouped or not, with words around it.
struct NumberText {
  /// ASCII digits with at most one decimal point, such as `1690000` or `12.50`.
  let digits: String

  /// - Parameters:
  ///   - input: such as `1,690,000원`, `$12.50` or `１２３`.
  ///   - decimals: most digits after a decimal point. Several points group; so does a single one
  ///     before three digits when there are fewer decimals.
  init(_ input: some StringProtocol, decimals: Int) {
    let plain = String(String.UnicodeScalarView(input.unicodeScalars.compactMap(Self.plain)))
    let parts = plain.split(separator: ".", omittingEmptySubsequences: false)
    let isGrouped = parts.count > 2 || parts.count == 2 && decimals < 3 && parts[1].count == 3
    digits = isGrouped ? parts.joined() : plain
  }

  /// The digits with commas between the thousands.
  static func grouped(_ digits: String) -> String {
    let whole = digits.prefix { $0 != "." }
    var text = ""
    for (offset, digit) in whole.enumerated() {
      if offset > 0, (whole.count - offset).isMultiple(of: 3) { text.append(",") }
      text.append(digit)
    }
    return text + digits[whole.endIndex...]
  }

  /// The ASCII form of a digit or a decimal point, nil for all else.
  private static func plain(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
    if scalar == "." || scalar == "．" { return "." }
    guard scalar.properties.generalCategory == .decimalNumber,
      let value = scalar.properties.numericValue
    else { return nil }
    return Unicode.Scalar(UInt8(48 + value))
  }
}
