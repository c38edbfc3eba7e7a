/// Numbers written as decimal digits.
extension [UInt8] {
  /// Appends an integer: `-12`.
  mutating func appendDecimal(_ number: Int64) {
    if number < 0 { append(0x2D) }
    appendDigits(of: number.magnitude)
  }

  private mutating func appendDigits(of number: UInt64) {
    if number >= 10 { appendDigits(of: number / 10) }
    append(0x30 + UInt8(truncatingIfNeeded: number % 10))
  }

  /// Appends an amount in hundredths with as many decimals as it needs: `1000`, `12.5`, `2.36`.
  mutating func appendAmount(hundredths: Int64) {
    let (units, cents) = hundredths.magnitude.quotientAndRemainder(dividingBy: 100)
    if hundredths < 0 { append(0x2D) }
    appendDecimal(Int64(units))
    guard cents > 0 else { return }
    append(0x2E)
    append(0x30 + UInt8(cents / 10))
    if cents % 10 > 0 { append(0x30 + UInt8(cents % 10)) }
  }

  /// Appends a number with at least two digits: `07`.
  mutating func appendTwoDigits(_ number: Int64) {
    if number < 10 { append(0x30) }
    appendDecimal(number)
  }
}
