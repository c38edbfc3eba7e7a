/// Numbers written as decimal digits.
extension [UInt8] {
  /// Appends an integer: `-12`.
  mutating func appendDecimal(_ number: Int64) {
    if number < 0 { append(0x2D) }
    var rest = number.magnitude
    let start = count
    repeat {
      append(0x30 + UInt8(truncatingIfNeeded: rest % 10))
      rest /= 10
    } while rest > 0
    self[start...].reverse()
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
