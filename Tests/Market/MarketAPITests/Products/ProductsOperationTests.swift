import Expectations
import MarketAPI
import MarketModel
import Testing

/// Requests of v2 as its clients really send them.
struct ProductsOperationTests {
  private static let params = """
    {"name":"Camping chair","description":"Folds flat.","price":38000,"currency":"KRW",\
    "discounted_price":8000,"stock":4,"secret":"pw"}
    """

  private func operation(_ request: HTTPRequest) throws(RequestProblem) -> MarketOperation? {
    try ProductsDialect(variant: .y2022).operation(from: request)
  }

  private func registration(
    _ params: String, _ pictures: [(String, String)] = [("images", "@")]
  ) throws -> ProductRegistration {
    let request = Wire.request(
      .post, "/api/products", form: [("params", params)] + pictures, identifier: true)
    guard case .register(let registration, _, _) = try operation(request) else {
      throw RequestProblem.unknownRoute
    }
    return registration
  }

  private func edit(_ json: String, _ headers: [(String, String)] = []) throws -> ProductUpdate {
    var request = Wire.request(.patch, "/api/products/52", json: json, identifier: true)
    for (name, value) in headers { request.headers[name] = value }
    guard case .update(let update) = try operation(request) else {
      throw RequestProblem.unknownRoute
    }
    return update
  }

  private func problem(_ request: HTTPRequest) -> RequestProblem? {
    do throws(RequestProblem) {
      _ = try operation(request)
      return nil
    } catch { return error }
  }

  @Test func `a registration is read`() throws {
    let registration = try registration(Self.params, Array(repeating: ("images", "@"), count: 5))

    expect(registration.name, "Camping chair")
    expect(registration.description, "Folds flat.")
    expect(registration.price, Money(hundredths: 3_800_000, currency: .krw))
    expect(registration.discountHundredths, 800_000)
    expect(registration.stock, 4)
    expect(registration.pictures.count, 5)
    expect(registration.password.comparable, "pw")
  }

  @Test func `pictures may come first, and with brackets in their name`() throws {
    let request = Wire.request(
      .post, "/api/products/", form: [("images[]", "@"), ("params", Self.params)],
      identifier: true)

    guard case .register(let registration, let author, nil) = try operation(request) else {
      Issue.record("no registration")
      return
    }
    expect(registration.pictures, [Wire.jpeg])
    guard case .seller(let identifier) = author else {
      Issue.record("no seller")
      return
    }
    expect(identifier, Wire.identifier)
  }

  @Test func `the intent to register may be marked`() throws {
    var request = Wire.request(
      .post, "/api/products", form: [("params", Self.params), ("images", "@")], identifier: true)
    request.headers["idempotency-key"] = "k1"

    try expect(operation(request)?.comparable.hasSuffix(" k1"), true)
  }

  @Test(arguments: [
    (#""description":"Folds flat.""#, #""descriptions":"Folds flat.""#),
    (#""price":38000"#, #""price":"38000""#), (#""price":38000"#, #""price":38000.0"#),
    (#""price":38000"#, #""price":3.8E4"#), (#""stock":4"#, #""stock":"4""#),
    (#""stock":4"#, #""stock":4.0"#), (#""discounted_price":8000"#, #""discounted_price":"8000""#),
    (#""KRW""#, #""krw""#),
    (#"{"#, #"{"product_id":1,"identifier":"x","thumbnail_id":3,"discountedPrice":9,"#),
    (#"}"#, "}\r\n\r\n"), (",", ",\n  "), (#""secret":"pw""#, #""secret":"pw","secret":"other""#),
  ])
  func `params are read in every spelling`(plain: String, spelling: String) throws {
    let params = Self.params.split(separator: plain, omittingEmptySubsequences: false)
      .joined(separator: spelling)

    let read = try registration(params)

    let expected = try registration(Self.params)
    expect(read.price, expected.price)
    expect(read.discountHundredths, expected.discountHundredths)
    expect(read.stock, expected.stock)
    expect(read.description, expected.description)
    expect(read.password.comparable, expected.password.comparable)
  }

  @Test func `discount and stock are nothing where they are absent`() throws {
    let read = try registration(
      #"{"name":"abc","descriptions":"","price":1,"currency":"USD","secret":1234}"#)

    expect(read.discountHundredths, 0)
    expect(read.stock, 0)
    #expect(read.description.isEmpty)
    expect(read.password.comparable, "1234")
  }

  @Test func `a discount under the wrong name is none`() throws {
    let read = try registration(
      #"{"name":"abc","description":"x","price":10,"discountedPrice":5,"currency":"USD","secret":"p"}"#
    )

    expect(read.discountHundredths, 0)
  }

  @Test func `a backslash and an n in text stay what they are`() throws {
    let read = try registration(
      #"{"name":"a\\nb","description":"x","price":10,"currency":"USD","secret":"p"}"#)

    expect(read.name, #"a\nb"#)
  }

  @Test(arguments: [
    ("name", FieldError(.name, .missing)), ("description", FieldError(.description, .missing)),
    ("price", FieldError(.price, .missing)), ("currency", FieldError(.currency, .missing)),
    ("secret", FieldError(.password, .missing)),
  ])
  func `a key that is missing or null is named`(key: String, error: FieldError) {
    let params = Self.params.split(separator: "\"\(key)\":").joined(
      separator: "\"\(key)\":null,\"x\":")
    let request = Wire.request(
      .post, "/api/products", form: [("params", params), ("images", "@")], identifier: true)

    expect(problem(request), .invalid([error]))
  }

  @Test(arguments: [
    ("\"price\":38000", "\"price\":true", ProductField.price), ("38000", "1e400", .price),
    ("38000", "0.001", .price), ("\"stock\":4", "\"stock\":4.5", .stock),
    ("\"discounted_price\":8000", "\"discounted_price\":[]", .discount),
    ("\"Camping chair\"", "{}", .name),
  ])
  func `a value of the wrong type is named`(plain: String, wrong: String, field: ProductField) {
    let params = Self.params.split(separator: plain).joined(separator: wrong)
    let request = Wire.request(
      .post, "/api/products", form: [("params", params), ("images", "@")], identifier: true)

    guard case .invalid(let errors) = problem(request) else {
      Issue.record("accepted")
      return
    }
    #expect(
      errors.contains { $0.problem == .unreadable && $0.field == field })
  }

  @Test func `a registration without pictures names them`() {
    let request = Wire.request(
      .post, "/api/products", form: [("params", Self.params)], identifier: true)

    expect(problem(request), .invalid([FieldError(.pictures, .missing)]))
  }

  @Test(
    arguments: [
      ([("images", "@")], "params"), ([("params", "[]"), ("images", "@")], "params"),
      ([("params", "{"), ("images", "@")], "params"),
      ([("params", String(repeating: "[", count: 10_000))], "params"),
    ] as [([(String, String)], String)])
  func `a form whose params cannot be read says so`(parts: [(String, String)], part: String) {
    let request = Wire.request(.post, "/api/products", form: parts, identifier: true)

    guard case .malformed(let named, _) = problem(request) else {
      Issue.record("accepted")
      return
    }
    expect(named, part)
  }

  @Test(arguments: [nil, "application/json", "application/x-www-form-urlencoded", "text/plain"])
  func `an edit is JSON whatever its content type says`(type: String?) throws {
    let request = Wire.request(
      .patch, "/api/products/52/", json: #"{"stock":"7","secret":"pw"}"#, contentType: type,
      identifier: true)

    guard case .update(let update) = try operation(request) else {
      Issue.record("no edit")
      return
    }
    expect(update.patch, ProductPatch(stock: 7))
    expect(update.expected, nil)
  }

  @Test func `absent and null are no change`() throws {
    let update = try edit(#"{"name":null,"price":null,"stock":1,"secret":"pw"}"#)

    expect(update.patch, ProductPatch(stock: 1))
  }

  @Test(
    arguments: [
      (#""category":null,"condition":null,"place":null,"reserved":null"#, nil, nil, false),
      (#""category":"","condition":"","place":"  ","reserved":"""#, nil, nil, false),
      (
        #""category":"sports","condition":"good","place":"서울 마포구","reserved":true"#, .sports,
        "서울 마포구", true
      ),
      (#""category":"sports","condition":"good","place":"7","reserved":"1""#, .sports, "7", true),
      (#""category":"books","condition":"new","place":"a","reserved":false"#, .books, "a", false),
    ] as [(String, ProductCategory?, String?, Bool)])
  func `what may be left unsaid is said and taken back`(
    members: String, category: ProductCategory?, place: String?, isReserved: Bool
  ) throws {
    let patch = try edit(#"{"secret":"pw","# + members + "}").patch

    #expect(patch.category == .some(category) && patch.place == .some(place))
    #expect(patch.isReserved == isReserved && patch.condition != nil)
    try expect(edit(#"{"secret":"pw","stock":1}"#).patch, ProductPatch(stock: 1))
  }

  @Test(arguments: [
    (#""category":"cars""#, ProductField.category), (#""category":["sports"]"#, .category),
    (#""category":true"#, .category), (#""condition":"used""#, .condition),
    (#""place":{}"#, .place), (#""place":true"#, .place), (#""reserved":"maybe""#, .reserved),
    (#""reserved":2"#, .reserved), (#""reserved":[]"#, .reserved),
  ])
  func `what such a field cannot hold is named`(member: String, field: ProductField) {
    let request = Wire.request(
      .patch, "/api/products/52", json: #"{"secret":"pw","# + member + "}", identifier: true)

    expect(problem(request), .invalid([FieldError(field, .unreadable)]))
  }

  @Test func `an edit of nothing verifies the secret`() throws {
    let request = Wire.request(
      .patch, "/api/products/52", json: #"{"secret":"pw","name":null}"#, identifier: true)

    try expect(operation(request)?.comparable, "verify 52 pw by " + Wire.identifier.secret)
  }

  @Test(arguments: ["301", "\"301\""])
  func `the thumbnail is chosen by a number or its text`(id: String) throws {
    try expect(
      edit("{\"thumbnail_id\":\(id),\"secret\":\"pw\"}").patch,
      ProductPatch(pictures: .thumbnail(number: 301)))
  }

  @Test(arguments: [
    ("\"41\"", ProductVersion(rawValue: "41")), ("W/\"41\"", ProductVersion(rawValue: "41")),
    ("*", nil),
  ])
  func `an edit may name the version that it changes`(
    header: String, version: ProductVersion?
  ) throws {
    try expect(edit(#"{"stock":1,"secret":"pw"}"#, [("If-Match", header)]).expected, version)
  }

  @Test func `an edit may bring pictures`() throws {
    let request = Wire.request(
      .patch, "/api/products/52",
      form: [
        ("params", #"{"secret":"pw","images":["upload",301,"upload"]}"#), ("images", "@"),
        ("images", "@"),
      ], identifier: true)
    let bare = Wire.request(
      .patch, "/api/products/52", form: [("params", #"{"secret":"pw"}"#), ("images", "@")],
      identifier: true)

    guard case .update(let update) = try operation(request),
      case .update(let replacing) = try operation(bare)
    else {
      Issue.record("no edit")
      return
    }
    let kept = Picture(number: 301, original: "", thumbnail: "")
    expect(update.patch.pictures, .list([.new(Wire.jpeg), .kept(kept), .new(Wire.jpeg)]))
    expect(replacing.patch.pictures, .list([.new(Wire.jpeg)]))
  }

  @Test(arguments: [
    #"["upload"]"#, #"["other",1]"#, "5", #"[1.5]"#, "[null]",
  ])
  func `a list of pictures that does not match its files is named`(list: String) {
    let request = Wire.request(
      .patch, "/api/products/52", json: #"{"secret":"pw","images":"# + list + "}",
      identifier: true)

    expect(problem(request), .invalid([FieldError(.pictures, .unreadable)]))
  }

  @Test(arguments: ["secret", "archived"])
  func `the first step of deleting has its secret in JSON`(route: String) throws {
    let request = Wire.request(
      .post, RequestTarget(parsing: "/api/products/52/\(route)"),
      json: #"{"secret":"pw"}"#, identifier: true)

    try expect(operation(request)?.comparable, "requestDeletion 52 pw by \(Wire.identifier.secret)")
  }

  @Test func `a seller takes another name`() throws {
    let request = Wire.request(.patch, "/api/sellers/me", json: #"{"name":"하나"}"#, identifier: true)
    let renaming = MarketOperation.changeSeller(Wire.identifier, SellerChange(name: "하나"))

    try expect(operation(request)?.comparable, renaming.comparable)
  }
}
