import MarketModel

/// Why an answer, or one row of it, cannot be read.
package enum AnswerProblem: Error, Hashable, Sendable {
  /// Markup where data was expected: whatever answers is no market.
  case markup
  case notJSON(JSONError)
  /// A key that must be there is absent or null.
  case missing(String)
  /// The value of a key is of another type or beyond what it may be.
  case unreadable(String)

  /// The problem as the repository reports it.
  var error: RepositoryError {
    switch self {
    case .markup: .badAnswer(.notAMarket)
    case .notJSON, .missing, .unreadable: .badAnswer(.unreadable)
    }
  }
}

extension HTTPResponse {
  /// The body of a success as a JSON value.
  func json() throws(AnswerProblem) -> JSONValue {
    if body.first(where: { !$0.isASCIIWhitespace }) == 0x3C { throw .markup }
    do { return try JSONDocument(parsing: body).root } catch { throw .notJSON(error) }
  }
}

extension HTTPResponse {
  /// What a deletion answered, by the dialect's reader: the product, or nil where it says less.
  ///
  /// Throws only `.markup`, for a page of HTML, which is no word of a market.
  func deleted(
    _ read: (JSONValue) throws(AnswerProblem) -> ProductDetail
  ) throws(AnswerProblem) -> ProductDetail? {
    do {
      return try read(try json())
    } catch .markup {
      throw .markup
    } catch {
      return nil
    }
  }
}

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
    let date =
      if let number = value.number { WireDate.read(seconds: number) } else {
        value.string.flatMap(WireDate.read)
      }
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
