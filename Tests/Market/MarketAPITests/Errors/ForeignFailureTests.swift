import Expectations
import MarketAPI
import MarketModel
import Testing

/// Errors of servers that do not know our words for problems.
struct ForeignFailureTests {
  private static let id = Product.ID(rawValue: 8)
  private static let author = Author.seller(Wire.identifier)
  private static let verify = MarketOperation.verify(id, Password("p"), author)
  private static let secret = MarketOperation.requestDeletion(id, Password("p"), author)
  private static let register = MarketOperation.register(
    ProductRegistration(
      name: "", description: "", price: Money(hundredths: 0, currency: .krw), stock: 0,
      pictures: [], password: Password("p")), author, nil)

  private func products(
    _ response: HTTPResponse, _ operation: MarketOperation
  ) -> RepositoryError? {
    do throws(RepositoryError) {
      _ = try ProductsDialect(variant: .y2022).detail(from: response, for: operation)
      return nil
    } catch { return error }
  }

  private func items(
    _ response: HTTPResponse, _ operation: MarketOperation
  ) -> RepositoryError? {
    do throws(RepositoryError) {
      _ = try ItemsDialect().deleted(from: response, for: operation)
      return nil
    } catch { return error }
  }

  @Test func `404 on v1 is a wrong password where one was sent`() {
    let answer = Wire.answer(404, #"{"error":true,"reason":"Not Found"}"#)

    expect(items(answer, .delete(Self.id, Password("p"), .guest)), .wrongPassword)
    expect(items(answer, .verify(Self.id, Password("p"), .guest)), .wrongPassword)
    expect(items(answer, .detail(Self.id)), .notFound)
  }

  @Test(
    arguments: [
      (401, .wrongPassword), (403, .notOwner), (404, .notFound), (405, .unsupported),
      (429, .tooManyRequests(retryAfterSeconds: 60)), (500, .badAnswer(.status(500))),
      (503, .badAnswer(.status(503))), (302, .badAnswer(.status(302))),
      (412, .badAnswer(.status(412))), (400, .wrongPassword),
    ] as [(Int, RepositoryError)])
  func `statuses of v2 are told apart`(status: Int, error: RepositoryError) {
    expect(products(Wire.answer(status, ""), Self.verify), error)
    expect(products(Wire.answer(status, "<html>"), Self.secret), error)
  }

  @Test(arguments: [("17", 17), ("999999999", 86_400), ("0", 1)])
  func `a server in trouble may say when to ask again`(text: String, seconds: Int) {
    var answer = Wire.answer(503, "")
    answer.headers[HeaderName.retryAfter] = text

    expect(
      products(answer, Self.verify), .badAnswer(.busy(status: 503, retryAfterSeconds: seconds)))
  }

  @Test func `the field that a message mentions is the one that is refused`() {
    let message = "Required request part 'images' is not present"
    let answer = Wire.answer(400, "{\"code\":400,\"message\":\"\(message)\"}")

    expect(products(answer, Self.register), .invalid([FieldError(.pictures, .refused(message))]))
  }

  @Test func `a refusal that mentions no field is told by its status`() {
    expect(products(Wire.answer(400, "no"), Self.register), .badAnswer(.status(400)))
  }

  @Test func `a body that is too large is the pictures' fault`() {
    expect(
      products(Wire.answer(413, ""), Self.register),
      .invalid([FieldError(.pictures, .refused("Content Too Large"))]))
  }

  @Test func `a list that is not found is no market`() {
    let dialect = ProductsDialect(variant: .y2022)

    #expect(throws: RepositoryError.badAnswer(.notAMarket)) {
      try dialect.page(from: Wire.answer(404, "<html>"), for: PageRequest())
    }
  }

  @Test(arguments: [("5", 5), ("-1", 1), ("99999999999", 86_400), ("soon", 60), ("", 60)])
  func `a pause is bounded`(header: String, seconds: Int) {
    let answer = HTTPResponse(.tooManyRequests, headers: ["Retry-After": header])

    expect(products(answer, Self.verify), .tooManyRequests(retryAfterSeconds: seconds))
  }

  @Test func `a list that is refused for a while speaks of no passwords`() {
    let answer = HTTPResponse(.tooManyRequests, headers: ["Retry-After": "99999"])

    #expect(throws: RepositoryError.tooManyRequests(retryAfterSeconds: 86_400)) {
      try ProductsDialect(variant: .y2022).page(from: answer, for: PageRequest())
    }
  }

  @Test(arguments: [
    "", "a key", "<html>", "{\"code\":400}", "a/b", "//host/x", "http://host/x", "/x?y", "/x#y",
    "x\u{0}", "한글", "\"\"", "/x\r\ny",
  ])
  func `what cannot be a deletion key is refused`(body: String) {
    let dialect = ProductsDialect(variant: .y2022)

    #expect(throws: RepositoryError.badAnswer(.unreadable)) {
      try dialect.deletionTarget(from: Wire.answer(body), for: Self.secret)
    }
  }

  @Test(
    arguments: [
      ("abc", .y2022, "/api/products/8/abc"), ("\"abc\"", .y2022, "/api/products/8/abc"),
      (" abc\r\n", .y2022, "/api/products/8/abc"),
      ("/api/products/abc", .y2023, "/api/products/abc"),
      ("\"/api/products/abc\"", .y2023, "/api/products/abc"),
      ("abc", .y2023, "/api/products/abc"),
      ("/api/products/8/abc", .y2023, "/api/products/8/abc"),
    ] as [(String, ProductsDialect.Variant, String)])
  func `deletion keys are read in all forms`(
    body: String, variant: ProductsDialect.Variant, path: String
  ) throws {
    let target = try ProductsDialect(variant: variant)
      .deletionTarget(from: Wire.answer(body), for: Self.secret)

    expect(target, RequestTarget(path: path))
  }
}
