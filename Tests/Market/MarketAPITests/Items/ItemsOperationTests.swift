import Expectations
import MarketAPI
import MarketModel
import Testing

/// Requests of v1 as its clients really send them.
struct ItemsOperationTests {
  private static let fields = [
    ("title", "Desk lamp"), ("descriptions", "Bright.\nWarm."), ("price", "42000"),
    ("currency", "KRW"), ("stock", "12"), ("password", "pw"), ("images[]", "@"),
  ]

  private func operation(_ request: HTTPRequest) throws(RequestProblem) -> MarketOperation? {
    try ItemsDialect().operation(from: request)
  }

  private func registration(_ parts: [(String, String)]) throws -> ProductRegistration {
    let read = try operation(Wire.request(.post, "/item", form: parts))
    guard case .register(let registration, .guest, nil) = read else {
      throw RequestProblem.unknownRoute
    }
    return registration
  }

  private func update(_ request: HTTPRequest) throws -> ProductUpdate {
    guard case .update(let update) = try operation(request) else {
      throw RequestProblem.unknownRoute
    }
    return update
  }

  private func errors(_ parts: [(String, String)], _ method: HTTPMethod = .post) -> [FieldError] {
    let target: RequestTarget = method == .post ? "/item" : "/item/8"
    do throws(RequestProblem) {
      _ = try operation(Wire.request(method, target, form: parts))
    } catch .invalid(let errors) { return errors } catch {}
    return []
  }

  @Test func `a registration is read whatever the order of its parts`() throws {
    for parts in [Self.fields, Self.fields.reversed()] {
      let registration = try registration(parts)

      expect(registration.name, "Desk lamp")
      expect(registration.description, "Bright.\nWarm.")
      expect(registration.price, Money(hundredths: 4_200_000, currency: .krw))
      expect(registration.discountHundredths, 0)
      expect(registration.stock, 12)
      expect(registration.pictures, [Wire.jpeg])
      expect(registration.password.comparable, "pw")
    }
  }

  @Test func `a trailing slash does no harm`() throws {
    let request = Wire.request(.post, "/item/", form: Self.fields)

    try expect(operation(request)?.comparable.hasPrefix("register"), true)
  }

  @Test(
    arguments: [("40000", 200_000), ("42000", 0), ("0", 4_200_000), ("", 0)] as [(String, Int64)])
  func `the discounted price is the price to pay`(toPay: String, discount: Int64) throws {
    try expect(
      registration(Self.fields + [("discounted_price", toPay)]).discountHundredths, discount)
  }

  @Test func `five pictures of one name are read in order`() throws {
    let registration = try registration(Self.fields + Array(repeating: ("images[]", "@"), count: 4))

    expect(registration.pictures.count, 5)
  }

  @Test func `unknown parts are ignored`() throws {
    try expect(registration(Self.fields + [("discountedPrice", "1")]).discountHundredths, 0)
  }

  @Test func `big stocks are read`() throws {
    let parts = Self.fields.map { $0.0 == "stock" ? ("stock", "1000000000000") : $0 }

    try expect(registration(parts).stock, 1_000_000_000_000)
  }

  @Test(arguments: ["title", "descriptions", "price", "currency", "stock", "password", "images[]"])
  func `a required part that is missing is named`(part: String) {
    let field: [String: ProductField] = [
      "title": .name, "descriptions": .description, "price": .price, "currency": .currency,
      "stock": .stock, "password": .password, "images[]": .pictures,
    ]

    let errors = errors(Self.fields.filter { $0.0 != part })

    expect(errors.map(\.field), [field[part]])
    expect(errors.map(\.problem), [.missing])
  }

  @Test(arguments: [
    ("price", "cheap", FieldError(.price, .unreadable)),
    ("price", "1e400", FieldError(.price, .unreadable)),
    ("price", "", FieldError(.price, .missing)), ("stock", "1.5", FieldError(.stock, .unreadable)),
    ("stock", "99999999999999999999", FieldError(.stock, .unreadable)),
  ])
  func `a number that is none is named`(name: String, text: String, error: FieldError) {
    expect(errors(Self.fields.map { $0.0 == name ? (name, text) : $0 }), [error])
  }

  @Test(arguments: [
    ("42001", FieldError(.discount, .abovePrice(priceHundredths: 4_200_000))),
    ("-1", FieldError(.discount, .negative)), ("x", FieldError(.discount, .unreadable)),
  ])
  func `a price to pay that cannot be is named`(toPay: String, error: FieldError) {
    expect(errors(Self.fields + [("discounted_price", toPay)]), [error])
  }

  @Test func `all that is wrong is named at once, in the order of the form`() {
    expect(
      errors([("price", "x")]).map(\.field),
      [.pictures, .name, .currency, .price, .stock, .description, .password])
  }

  @Test func `an edit of nothing but the password verifies it`() throws {
    let form = Wire.request(.patch, "/item/8", form: [("password", "pw")])
    let json = Wire.request(.patch, "/item/8", json: #"{"password":"pw"}"#)

    try expect(operation(form)?.comparable, "verify 8 pw by guest")
    try expect(operation(json)?.comparable, "verify 8 pw by guest")
  }

  @Test func `an empty number in an edit is no change`() throws {
    let request = Wire.request(
      .patch, "/item/8", form: [("stock", ""), ("discounted_price", ""), ("password", "pw")])

    try expect(operation(request)?.comparable, "verify 8 pw by guest")
  }

  @Test(arguments: [
    "title", "descriptions", "price", "currency", "stock", "discounted_price", "category",
    "condition", "place", "reserved", "questions_closed",
  ])
  func `an empty value of a form is not sent`(name: String) throws {
    let edit = Wire.request(.patch, "/item/8", form: [(name, ""), ("password", "pw")])

    try expect(operation(edit)?.comparable, "verify 8 pw by guest")
  }

  @Test func `in JSON an empty text is the value that it is`() throws {
    let update = try update(
      Wire.request(.patch, "/item/8", json: #"{"descriptions":"","place":"","password":"pw"}"#))

    expect(update.patch.description, "")
    expect(update.patch.place, .some(nil))
  }

  @Test func `our own forms clear a field, and refuse an empty description`() throws {
    var patch = ProductPatch()
    patch.place = .some(nil)
    patch.category = .some(nil)
    patch.isReserved = false
    let cleared = ProductUpdate(
      id: Product.ID(rawValue: 8), patch: patch, password: Password("pw"), author: .guest)
    let empty = ProductUpdate(
      id: Product.ID(rawValue: 8), patch: ProductPatch(description: ""), password: Password("pw"),
      author: .guest)

    let read = try update(try ItemsDialect().request(for: .update(cleared)))

    expect(read.patch, patch)
    #expect(throws: RepositoryError.invalid([FieldError(.description, .missing)])) {
      try ItemsDialect().request(for: .update(empty))
    }
  }

  @Test func `a text beside the files of a form is no picture, and alone it is none either`() throws
  {
    let pictures = [("images[]", "@"), ("images", "[0,1]"), ("password", "pw")]

    let beside = try update(Wire.request(.patch, "/item/8", form: pictures))

    expect(beside.patch.pictures, .list([.new(Wire.jpeg)]))
  }

  @Test func `an edit names what changes and nothing else`() throws {
    let update = try update(
      Wire.request(.patch, "/item/8", form: [("stock", "3"), ("password", "pw")]))

    expect(update.id.rawValue, 8)
    expect(update.patch, ProductPatch(stock: 3))
  }

  @Test func `an edit of the price alone keeps the price to pay`() throws {
    let alone = try update(
      Wire.request(.patch, "/item/8", form: [("price", "50"), ("password", "pw")]))
    let both = try update(
      Wire.request(
        .patch, "/item/8",
        form: [("price", "50"), ("discounted_price", "40"), ("password", "pw")]))

    expect(
      alone.patch,
      ProductPatch(
        priceHundredths: 5_000, discount: .keepPriceToPay, isInUnits: true))
    expect(
      both.patch,
      ProductPatch(
        priceHundredths: 5_000, discount: .priceToPay(4_000), isInUnits: true))
  }

  @Test func `an edit with every field and picture is read`() throws {
    let update = try update(
      Wire.request(.patch, "/item/8", form: Self.fields + [("images[]", "@")]))

    expect(update.patch.pictures, .list([.new(Wire.jpeg), .new(Wire.jpeg)]))
    expect(update.patch.name, "Desk lamp")
  }

  @Test func `an edit without a password is refused`() {
    expect(errors([("stock", "1")], .patch), [FieldError(.password, .missing)])
  }

  @Test func `the first clients send JSON with pictures as base64`() throws {
    let json = """
      {"title":"Desk lamp","descriptions":"Bright.","price":42000,"currency":"KRW","stock":12,
       "discounted_price":40000,"images":["/9j/4AAQSkZJRg==","/9j/4AAQSkZJRg"],"password":"pw"}
      """
    let request = Wire.request(.post, "/item", json: json, contentType: "application/json")

    guard case .register(let registration, .guest, nil) = try operation(request) else {
      Issue.record("no registration")
      return
    }

    expect(registration.pictures, [Wire.jpeg, Wire.jpeg])
    expect(registration.discountHundredths, 200_000)
  }

  @Test(arguments: [#"["!"]"#, "[1]", #"["/9j/",null]"#])
  func `pictures that are no base64 are named`(images: String) {
    let json =
      #"{"title":"a","descriptions":"","price":1,"currency":"KRW","stock":1,"password":"p","images":"#
      + images + "}"

    #expect(throws: RequestProblem.invalid([FieldError(.pictures, .unreadable)])) {
      try operation(Wire.request(.post, "/item", json: json))
    }
  }

  @Test func `an edit in JSON may hold nulls, and other pictures`() throws {
    let update = try update(
      Wire.request(
        .patch, "/item/8",
        json: #"{"title":null,"stock":4,"images":["/9j/4AAQSkZJRg=="],"password":"pw"}"#))

    expect(update.patch, ProductPatch(stock: 4, pictures: .list([.new(Wire.jpeg)])))
  }

  @Test(arguments: ["application/json", "application/x-www-form-urlencoded", nil])
  func `a deletion has its password in JSON, whatever its content type`(type: String?) throws {
    let later = Wire.request(.delete, "/item/8", json: #"{"password":"pw"}"#, contentType: type)
    let first = Wire.request(
      .delete, "/item/8", json: #"{"id":8,"password":"pw"}"#, contentType: type)

    try expect(operation(later)?.comparable, "delete 8 pw by guest")
    try expect(operation(first)?.comparable, "delete 8 pw by guest")
  }

  @Test(arguments: ["", "nonsense", "[]", "{", "{\"password\":"])
  func `a body that cannot be read is refused`(body: String) {
    for method in [HTTPMethod.delete, .patch] {
      do throws(RequestProblem) {
        _ = try operation(Wire.request(method, "/item/8", json: body))
        Issue.record("accepted \(body)")
      } catch {
        guard case .malformed("body", _) = error else {
          Issue.record("\(error)")
          return
        }
      }
    }
  }
}
