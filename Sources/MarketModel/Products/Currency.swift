/// A currency by its three-letter code (ISO 4217, but any code that a server sends is kept).
package struct Currency: RawRepresentable, Hashable, Sendable {
  package let rawValue: String

  package init(rawValue: String) {
    self.rawValue = rawValue
  }

  package static let krw = Currency(rawValue: "KRW")
  package static let usd = Currency(rawValue: "USD")

  /// Digits after the decimal point that people expect: 0 for won and yen, 2 for most others.
  package var usualDecimals: Int {
    Self.withoutDecimals.contains(rawValue) ? 0 : 2
  }

  private static let withoutDecimals: Set<String> = ["KRW", "JPY", "VND", "CLP", "ISK", "HUF"]
}

extension Currency: Comparable {
  /// Orders by price group by currency: won first, then by code.
  package static func < (left: Currency, right: Currency) -> Bool {
    if (left == .krw) != (right == .krw) { return left == .krw }
    return left.rawValue < right.rawValue
  }
}
