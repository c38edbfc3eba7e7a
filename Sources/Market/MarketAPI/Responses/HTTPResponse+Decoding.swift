import MarketModel

/// Reason why an answer, or one row of it, cannot be read.
enum ResponseDecodingError: Error, Hashable, Sendable {
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
  /// The value of a success, by a dialect's reader.
  func read<Value>(
    _ reader: (JSONValue) throws(ResponseDecodingError) -> Value
  ) throws(RepositoryError) -> Value {
    do throws(ResponseDecodingError) { return try reader(try json()) } catch { throw error.error }
  }

  /// The body as JSON, where a server is asked what it is: what is no JSON is no market, and that is
  /// the answer.
  var root: JSONValue? { (try? JSONDocument(parsing: body))?.root }

  /// The body as a JSON value.
  private func json() throws(ResponseDecodingError) -> JSONValue {
    if body.first(where: { !$0.isASCIIWhitespace }) == 0x3C { throw .markup }
    do { return try JSONDocument(parsing: body).root } catch { throw .notJSON(error) }
  }
}

/// Limits of what is taken from an answer beside its texts, which have a `TextLimit`.
enum ResponseLimits {
  /// In bytes; a longer address, or place in a list, is none.
  static let address = 4_096
  /// Pictures of a product.
  static let pictures = 100
}

extension JSONValue {
  /// A name, or a number as it is spelled, that must be there.
  func name(of key: StaticString, _ limit: TextLimit) throws(ResponseDecodingError) -> String {
    guard let value = self[key] else { throw .missing(key.description) }
    guard let text = value.text(upTo: limit) else { throw .unreadable(key.description) }
    return text
  }

  /// As much of a text, or of a number as it is spelled, as the limit allows.
  func text(upTo limit: TextLimit) -> String? { text.map(limit.cut) }

  /// A whole number that must be there.
  func integer(of key: StaticString) throws(ResponseDecodingError) -> Int64 {
    guard let value = self[key] else { throw .missing(key.description) }
    guard let integer = value.number?.integer else { throw .unreadable(key.description) }
    return integer
  }

  /// A date in any spelling: text, or seconds since 1970.
  func date(of key: StaticString) throws(ResponseDecodingError) -> Timestamp {
    guard let value = self[key] else { throw .missing(key.description) }
    let date = value.string.flatMap(WireDate.read) ?? value.number.flatMap(WireDate.read(seconds:))
    guard let date else { throw .unreadable(key.description) }
    return date
  }

  /// The full price of a row; nil where it or its currency cannot be read.
  func fullPrice() -> Money? {
    guard let hundredths = self["price"]?.number?.hundredths,
      let currency = self["currency"]?.string?.trimmed, TextLimit.currency.allows(currency)
    else { return nil }
    return Money(hundredths: hundredths, currency: Currency(rawValue: currency))
  }

  /// An address, as it is; nil where it is empty or too long.
  var address: String? {
    guard let address = string?.trimmed, !address.isEmpty,
      address.utf8.count <= ResponseLimits.address
    else { return nil }
    return address
  }
}

/// The rows of a page, each read by itself: one that cannot be read costs no other.
struct PageRows {
  var products: [Product] = []
  var unreadable = 0

  init(
    of value: JSONValue, in key: StaticString,
    reading row: (JSONValue) throws(ResponseDecodingError) -> Product
  ) throws(ResponseDecodingError) {
    guard let rows = value[key] else { throw .missing(key.description) }
    guard rows.isArray else { throw .unreadable(key.description) }
    // A server that sends more than anybody may ask for is cut off there.
    for element in rows.elements.prefix(PageRequest.sizes.upperBound) {
      do throws(ResponseDecodingError) {
        products.append(try row(element))
      } catch {
        unreadable += 1
      }
    }
  }

  var isEmpty: Bool { products.isEmpty && unreadable == 0 }
}
