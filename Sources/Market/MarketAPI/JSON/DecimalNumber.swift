/// Decimal number parsed from text without binary rounding: exact up to 19 digits.
package struct DecimalNumber: Hashable, Sendable {
  private var isNegative = false
  private var coefficient: UInt64 = 0
  /// Power of ten by which the coefficient is multiplied.
  private var exponent = 0
  /// Whether nonzero digits did not fit into the coefficient.
  private var isTruncated = false

  /// Reads `12`, `-0.50`, `6.6666666E7`, with white space around it; nil for anything else.
  package init?(_ text: String) {
    self.init(Array(text.utf8)[...])
  }

  package init?(_ bytes: ArraySlice<UInt8>) {
    var rest = bytes
    while rest.first?.isASCIIWhitespace == true { rest.removeFirst() }
    while rest.last?.isASCIIWhitespace == true { rest.removeLast() }
    if rest.first == 0x2D || rest.first == 0x2B { isNegative = rest.removeFirst() == 0x2D }
    let whole = Self.takeDigits(of: &rest)
    var fraction: ArraySlice<UInt8> = []
    if rest.first == 0x2E {
      rest.removeFirst()
      fraction = Self.takeDigits(of: &rest)
    }
    guard !whole.isEmpty || !fraction.isEmpty else { return nil }
    for byte in whole { append(digit: byte, isFraction: false) }
    for byte in fraction { append(digit: byte, isFraction: true) }
    if let marker = rest.first, marker | 0x20 == 0x65 {
      rest.removeFirst()
      guard let power = Self.takeExponent(of: &rest) else { return nil }
      exponent += power
    }
    guard rest.isEmpty else { return nil }
  }

  /// The number as an integer; nil for a fraction, or out of range.
  package var integer: Int64? { scaled(byPowerOfTen: 0) }

  /// The number in hundredths; nil where that is inexact or out of range.
  ///
  /// Binary fractions from a sender's arithmetic (`12.360000000000001`) are rounded to 15 digits.
  package var hundredths: Int64? {
    scaled(byPowerOfTen: 2) ?? roundedToDoublePrecision?.scaled(byPowerOfTen: 2)
  }

  /// The largest integer that is not greater; nil out of range.
  package var floor: Int64? {
    guard exponent < 0 else { return scaled(byPowerOfTen: 0) }
    var (quotient, remainder) = (UInt64(0), coefficient)
    if let divisor = Self.powerOfTen(-exponent) {
      (quotient, remainder) = coefficient.quotientAndRemainder(dividingBy: divisor)
    }
    let isWhole = remainder == 0 && !isTruncated
    return signed(isNegative && !isWhole ? quotient + 1 : quotient)
  }

  private func scaled(byPowerOfTen power: Int) -> Int64? {
    guard !isTruncated else { return nil }
    guard coefficient != 0 else { return 0 }
    var magnitude = coefficient
    var exponent = exponent + power
    while exponent < 0 {
      let (quotient, remainder) = magnitude.quotientAndRemainder(dividingBy: 10)
      guard remainder == 0 else { return nil }
      magnitude = quotient
      exponent += 1
    }
    guard exponent <= 19, let factor = Self.powerOfTen(exponent) else { return nil }
    let (product, overflow) = magnitude.multipliedReportingOverflow(by: factor)
    return overflow ? nil : signed(product)
  }

  /// The number rounded to 15 digits; nil where that would change digits before the hundredths.
  private var roundedToDoublePrecision: DecimalNumber? {
    let digits = String(coefficient).utf8.count
    guard digits > 15, let divisor = Self.powerOfTen(digits - 15) else { return nil }
    var rounded = self
    rounded.coefficient = (coefficient + divisor / 2) / divisor
    rounded.exponent += digits - 15
    rounded.isTruncated = false
    return rounded.exponent <= -2 ? rounded : nil
  }

  private func signed(_ magnitude: UInt64) -> Int64? {
    guard magnitude <= UInt64(Int64.max) else { return nil }
    return isNegative ? -Int64(magnitude) : Int64(magnitude)
  }

  private mutating func append(digit: UInt8, isFraction: Bool) {
    if coefficient < 1_000_000_000_000_000_000 {
      coefficient = coefficient * 10 + UInt64(digit - 0x30)
      if isFraction { exponent -= 1 }
    } else {
      if digit != 0x30 { isTruncated = true }
      if !isFraction { exponent += 1 }
    }
  }

  private static func takeDigits(of bytes: inout ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let digits = bytes.prefix { $0.decimalDigit != nil }
    bytes = bytes[digits.endIndex...]
    return digits
  }

  /// Reads a sign and digits; a power beyond a million is cut to a million, which is out of range as
  /// well.
  private static func takeExponent(of bytes: inout ArraySlice<UInt8>) -> Int? {
    var isNegative = false
    if bytes.first == 0x2D || bytes.first == 0x2B { isNegative = bytes.removeFirst() == 0x2D }
    let digits = takeDigits(of: &bytes)
    guard !digits.isEmpty else { return nil }
    let power = digits.reduce(0) { min(1_000_000, $0 * 10 + Int($1 - 0x30)) }
    return isNegative ? -power : power
  }

  /// Nil outside of 0 to 19.
  private static func powerOfTen(_ power: Int) -> UInt64? {
    guard (0...19).contains(power) else { return nil }
    return (0..<power).reduce(1) { value, _ in value * 10 }
  }
}
