/// Decimals with which an amount in hundredths is written.
package enum AmountDecimals: Sendable {
  /// As few as needed: `1000`, `12.5`, `2.36`.
  case shortest
  /// Two, or none for a whole amount: `1000`, `12.50`.
  case twoOrNone
  /// Always two: `1000.00`.
  case two
}

/// Formatting of numbers as decimal digits.
extension [UInt8] {
  /// Appends an integer: `-12`, or `1,690,000` in groups.
  package mutating func appendDecimal(_ number: Int64, isGrouped: Bool = false) {
    if number < 0 { append(UInt8(ascii: "-")) }
    if isGrouped {
      appendGroups(of: number.magnitude)
    } else {
      appendDigits(of: number.magnitude)
    }
  }

  /// Appends an amount in hundredths: `1690000`, `-12.5`.
  package mutating func appendAmount(
    hundredths: Int64, decimals: AmountDecimals = .shortest, isGrouped: Bool = false
  ) {
    let (units, cents) = hundredths.magnitude.quotientAndRemainder(dividingBy: 100)
    if hundredths < 0 { append(UInt8(ascii: "-")) }
    if isGrouped { appendGroups(of: units) } else { appendDigits(of: units) }
    guard cents > 0 || decimals == .two else { return }
    append(UInt8(ascii: "."))
    append(0x30 + UInt8(truncatingIfNeeded: cents / 10))
    guard cents % 10 > 0 || decimals != .shortest else { return }
    append(0x30 + UInt8(truncatingIfNeeded: cents % 10))
  }

  private mutating func appendDigits(of number: UInt64) {
    if number >= 10 { appendDigits(of: number / 10) }
    append(0x30 + UInt8(truncatingIfNeeded: number % 10))
  }

  private mutating func appendGroups(of number: UInt64) {
    guard number >= 1_000 else { return appendDigits(of: number) }
    appendGroups(of: number / 1_000)
    append(UInt8(ascii: ","))
    let rest = number % 1_000
    if rest < 100 { append(UInt8(ascii: "0")) }
    if rest < 10 { append(UInt8(ascii: "0")) }
    appendDigits(of: rest)
  }
}

extension String {
  /// An integer in groups of three digits: `1,690,000`.
  package init(grouped number: Int64) {
    var digits: [UInt8] = []
    digits.appendDecimal(number, isGrouped: true)
    self.init(decoding: digits, as: UTF8.self)
  }

  /// An amount in hundredths as digits: `1690000`, `-12.50`.
  package init(hundredths: Int64, decimals: AmountDecimals, isGrouped: Bool = false) {
    var digits: [UInt8] = []
    digits.appendAmount(hundredths: hundredths, decimals: decimals, isGrouped: isGrouped)
    self.init(decoding: digits, as: UTF8.self)
  }
}
