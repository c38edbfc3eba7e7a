import Expectations
import MarketAPI
import MarketModel
import TestSupport
import Testing

/// An error that the server half writes is the error that the client half reads.
struct FailureLawTests {
  private static let id = Product.ID(rawValue: 8)
  private static let author = Author.seller(Wire.identifier)

  private func operation(_ dialect: any MarketDialect) -> MarketOperation {
    let isItems = dialect is ItemsDialect
    return .update(
      ProductUpdate(
        id: Self.id, patch: ProductPatch(stock: 1), password: Password("p"),
        author: isItems ? .guest : Self.author))
  }

  private func read(
    _ error: RepositoryError, _ dialect: any MarketDialect
  ) -> (HTTPResponse, RepositoryError?) {
    let operation = operation(dialect)
    let response = dialect.response(failing: error, to: operation, pictures: Wire.pictures)
    do throws(RepositoryError) {
      _ = try dialect.detail(from: response, for: operation)
      return (response, nil)
    } catch { return (response, error) }
  }

  @Test(
    arguments: [
      .notFound, .wrongPassword, .tooManyAttempts(retryAfterSeconds: 30), .notOwner, .unsupported,
      .unknownCursor, .tooManyRequests(retryAfterSeconds: 7), .blocked, .keyReused, .marketFull,
      .invalid([FieldError(.price, .negative), FieldError(.name, .tooLong(maximum: 1_000))]),
      .invalid([FieldError(.discount, .abovePrice(priceHundredths: 250))]),
      .invalid([FieldError(.description, .tooShort(minimum: 10))]),
      .invalid([FieldError(.pictures, .pictureTooLarge(maximumBytes: 409_600))]),
      .invalid([FieldError(.pictures, .unsupportedPicture), FieldError(.password, .missing)]),
      .invalid([FieldError(.currency, .unsupportedCurrency([])), FieldError(.stock, .unreadable)]),
      .invalid([FieldError(.name, .refused("no \"such\" word"))]),
    ] as [RepositoryError])
  func `errors arrive as they were thrown`(error: RepositoryError) {
    for dialect in Wire.dialects {
      expect(read(error, dialect).1, error)
    }
  }

  @Test func `an edit that came too late brings the product as it is`() throws {
    let detail = ProductDetail.sample(
      of: .sample(id: 8, thumbnail: Picture(number: 1, original: "a", thumbnail: "b")),
      version: ProductVersion(rawValue: "43"))

    for dialect in Wire.dialects {
      let (response, error) = read(.conflict(current: detail), dialect)

      expect(response.status, .preconditionFailed)
      guard case .conflict(let current) = error else {
        Issue.record("read as \(String(describing: error))")
        continue
      }
      expect(current.product.name, detail.product.name)
      let hasVersions = dialect.capabilities(
        announced: Set(ServerCapability.allCases)
      ).hasVersions
      expect(current.version, hasVersions ? detail.version : nil)
    }
  }

  @Test(
    arguments: [
      (.unreachable(.timedOut), 503), (.badAnswer(.unreadable), 503), (.cancelled, 503),
      (.store(.locked), 503), (.store(.damaged), 500), (.store(.readOnly), 503),
      (.store(.unavailable("connection to someone failed")), 503),
      (.store(.cannotOpen("/home/someone: Permission denied")), 503),
    ] as [(RepositoryError, Int)])
  func `trouble inside is told by its status alone`(error: RepositoryError, status: Int) {
    for dialect in Wire.dialects {
      let (response, read) = read(error, dialect)

      expect(response.status.rawValue, status)
      let trouble: ServerFailure =
        status == 503 ? .busy(status: 503, retryAfterSeconds: 1) : .status(status)
      expect(read, .badAnswer(trouble))
      expect(response.headers[HeaderName.retryAfter] == "1", status == 503)
      #expect(!response.text.contains("someone"))
    }
  }

  @Test(
    arguments: [
      (.notFound, 404, 404), (.wrongPassword, 404, 401), (.notOwner, 404, 403),
      (.tooManyAttempts(retryAfterSeconds: 9), 404, 429), (.unknownCursor, 400, 400),
      (.blocked, 400, 403), (.keyReused, 400, 422),
    ] as [(RepositoryError, Int, Int)])
  func `clients of old see the statuses that they know`(
    error: RepositoryError, items: Int, products: Int
  ) {
    for dialect in Wire.oldDialects {
      let expected = dialect is ItemsDialect ? items : products

      expect(read(error, dialect).0.status.rawValue, expected)
    }
  }

  @Test func `an error has the keys of all generations`() throws {
    for dialect in Wire.dialects {
      let response = read(.notFound, dialect).0
      let body = try response.parsed()

      expect(body["error"]?.bool, true)
      expect(body["reason"]?.string, "Not Found")
      expect(body["message"]?.string, "Not Found")
      expect(body["code"]?.number?.integer, 404)
      expect(response.headers["Content-Type"], "application/json")
    }
  }

  @Test func `a refusal names the fields as the dialect calls them`() throws {
    let error = RepositoryError.invalid([
      FieldError(.name, .missing), FieldError(.password, .missing),
    ])

    try expect(
      read(error, ItemsDialect()).0.parsed()["message"]?.string,
      "title: is missing; password: is missing")
    try expect(
      read(error, ProductsDialect(variant: .y2022)).0.parsed()["message"]?.string,
      "name: is missing; secret: is missing")
  }

  @Test func `a pause is announced`() {
    let response = read(.tooManyAttempts(retryAfterSeconds: 120), ItemsDialect()).0

    expect(response.headers["Retry-After"], "120")
  }
}
