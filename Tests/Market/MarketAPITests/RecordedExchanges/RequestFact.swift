import HTTPTestSupport
import MarketAPI
import MarketModel
import Testing

/// A request as some client of old sends it, and what it means: one row of a table of facts.
struct RequestFact: CustomTestStringConvertible, Sendable {
  let testDescription: String
  let request: HTTPRequest
  let operation: MarketOperation

  /// - Parameters:
  ///   - fact: what the row is about.
  ///   - message: the request as it is spelled; `@` is the picture.
  ///   - operation: what a server has to read.
  init(_ fact: String, _ message: String, _ operation: MarketOperation) {
    let sent = ReceivedRequest(spelled: message, picture: Wire.jpeg)
    var headers = HTTPHeaders()
    for (name, value) in sent.headers { headers.add(value, for: name) }
    testDescription = fact
    request = HTTPRequest(
      HTTPMethod(rawValue: sent.method), RequestTarget(parsing: sent.target), headers: headers,
      body: sent.body)
    self.operation = operation
  }
}

extension Wire {
  /// A registration that differs from a lamp's in what is named; amounts are whole units.
  static func registration(
    name: String = "Desk lamp", description: String = "Bright.", price: Int64 = 42_000,
    currency: Currency = .krw, discount: Int64 = 0, stock: Int64 = 12,
    pictures: [[UInt8]] = [Wire.jpeg], password: String = "pw"
  ) -> ProductRegistration {
    ProductRegistration(
      name: name, description: description,
      price: Money(hundredths: price * 100, currency: currency),
      discountHundredths: discount * 100, stock: stock, pictures: pictures,
      password: Password(password))
  }
}
