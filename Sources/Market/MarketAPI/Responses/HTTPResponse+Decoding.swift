import MarketModel

/// Reason why a response, or one row of it, is unreadable.
enum ResponseDecodingError: Error, Hashable, Sendable {
  /// Markup instead of data: the server is not a market.
  case markup
  case notJSON(JSONError)
  /// A required key is absent or null.
  case missing(String)
  /// The value of a key has another type, or is out of range.
  case unreadable(String)

  /// The error that the repository throws for it.
  var error: RepositoryError {
    switch self {
    case .markup: .badAnswer(.notAMarket)
    case .notJSON, .missing, .unreadable: .badAnswer(.unreadable)
    }
  }
}

extension HTTPResponse {
  /// The value of a successful response, by a dialect's reader.
  /// - Throws: `.badAnswer(.notAMarket)` for markup, `.badAnswer(.unreadable)` for other unreadable
  ///   bodies.
  func read<Value>(
    _ reader: (JSONValue) throws(ResponseDecodingError) -> Value
  ) throws(RepositoryError) -> Value {
    do throws(ResponseDecodingError) { return try reader(try json()) } catch { throw error.error }
  }

  /// The body as JSON, for probes; nil where it is not JSON, so that the server is not a market.
  var root: JSONValue? { (try? JSONDocument(parsing: body))?.root }

  /// The body as a JSON value.
  private func json() throws(ResponseDecodingError) -> JSONValue {
    if body.first(where: { !$0.isASCIIWhitespace }) == 0x3C { throw .markup }
    do { return try JSONDocument(parsing: body).root } catch { throw .notJSON(error) }
  }
}

/// Limits of responses besides their texts, which have a `TextLimit`.
enum ResponseLimits {
  /// Maximum length of an address in bytes; longer ones are ignored.
  static let address = 4_096
  /// Maximum number of pictures of a product; further ones are ignored.
  static let pictures = 100
}

extension JSONValue {
  /// A required name, or the spelling of a number, cut to `limit`.
  /// - Throws: `.missing`, or `.unreadable` for another type.
  func name(of key: StaticString, _ limit: TextLimit) throws(ResponseDecodingError) -> String {
    guard let value = self[key] else { throw .missing(key.description) }
    guard let text = value.text(upTo: limit) else { throw .unreadable(key.description) }
    return text
  }

  /// A text, or the spelling of a number, cut to `limit`; nil for another type.
  func text(upTo limit: TextLimit) -> String? { text.map(limit.cut) }

  /// A required integer.
  /// - Throws: `.missing`, or `.unreadable` where it is not an integer.
  func integer(of key: StaticString) throws(ResponseDecodingError) -> Int64 {
    guard let value = self[key] else { throw .missing(key.description) }
    guard let integer = value.number?.integer else { throw .unreadable(key.description) }
    return integer
  }

  /// A required date in any spelling: text, or seconds since 1970.
  /// - Throws: `.missing`, or `.unreadable` where it is not a date.
  func date(of key: StaticString) throws(ResponseDecodingError) -> Timestamp {
    guard let value = self[key] else { throw .missing(key.description) }
    let date = value.string.flatMap(WireDate.read) ?? value.number.flatMap(WireDate.read(seconds:))
    guard let date else { throw .unreadable(key.description) }
    return date
  }

  /// The full price of a row; nil where it or its currency is unreadable.
  func fullPrice() -> Money? {
    guard let hundredths = self["price"]?.number?.hundredths,
      let currency = self["currency"]?.string?.trimmed, TextLimit.currency.allows(currency)
    else { return nil }
    return Money(hundredths: hundredths, currency: Currency(rawValue: currency))
  }

  /// A nonempty address of at most `ResponseLimits.address` bytes; nil for others.
  var address: String? {
    guard let address = string?.trimmed, !address.isEmpty,
      address.utf8.count <= ResponseLimits.address
    else { return nil }
    return address
  }
}

/// The rows of a page, each read separately; unreadable ones are counted.
struct PageRows {
  var products: [Product] = []
  var unreadable = 0

  init(
    of value: JSONValue, in key: StaticString,
    reading row: (JSONValue) throws(ResponseDecodingError) -> Product
  ) throws(ResponseDecodingError) {
    guard let rows = value[key] else { throw .missing(key.description) }
    guard rows.isArray else { throw .unreadable(key.description) }
    // Further rows than a request may ask for are ignored.
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
