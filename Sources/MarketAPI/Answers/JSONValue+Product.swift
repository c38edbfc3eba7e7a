import MarketModel

extension JSONValue {
  /// A text, or a number as it is spelled, that must be there.
  func text(of key: StaticString) throws(AnswerProblem) -> String {
    guard let value = self[key] else { throw .missing(key.description) }
    guard let text = value.text else { throw .unreadable(key.description) }
    return text
  }

  /// A whole number that must be there.
  func integer(of key: StaticString) throws(AnswerProblem) -> Int64 {
    guard let value = self[key] else { throw .missing(key.description) }
    guard let integer = value.number?.integer else { throw .unreadable(key.description) }
    return integer
  }

  /// Pieces in stock: 0 to 2^53.
  func stock() throws(AnswerProblem) -> Int64 {
    let stock = try integer(of: "stock")
    guard StorageRules.stock.contains(stock) else { throw .unreadable("stock") }
    return stock
  }

  /// A date in any spelling: text, or seconds since 1970.
  func date(of key: StaticString) throws(AnswerProblem) -> Timestamp {
    guard let value = self[key] else { throw .missing(key.description) }
    let date = value.string.flatMap(WireDate.read) ?? value.number.flatMap(WireDate.read(seconds:))
    guard let date else { throw .unreadable(key.description) }
    return date
  }

  /// The full price of a row; nil where it or its currency cannot be read.
  func fullPrice() -> Money? {
    guard let hundredths = self["price"]?.number?.hundredths,
      let currency = self["currency"]?.string?.trimmed, !currency.isEmpty
    else { return nil }
    return Money(hundredths: hundredths, currency: Currency(rawValue: currency))
  }

  /// An address that must not be empty; nil where there is none.
  func address(of key: StaticString) -> String? {
    guard let address = self[key]?.string?.trimmed, !address.isEmpty else { return nil }
    return address
  }
}
