import Expectations
import MarketAPI
import MarketModel
import Testing

/// Texts of requests as bytes: UTF-8 with or without its mark, or refused.
struct RequestTextTests {
  /// "자" as a Korean Windows writes it (cp949), and others that are no UTF-8.
  static let broken: [[UInt8]] = [[0xC0, 0xDA], [0xFF], [0x61, 0xE2, 0x82], [0xED, 0xA0, 0x80]]
  private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

  private static let identified: HTTPHeaders = ["identifier": "a-seller"]

  private func operation(_ request: HTTPRequest) throws(RequestProblem) -> MarketOperation {
    try MarketRouter(DialectList.market.served()).route(request).operation
  }

  private func problem(_ request: HTTPRequest) -> RequestProblem? {
    do throws(RequestProblem) {
      _ = try operation(request)
      return nil
    } catch {
      return error
    }
  }

  private func form(
    _ target: RequestTarget, _ parts: [(name: String, bytes: [UInt8])],
    _ method: HTTPMethod = .post, picture: String = "images[]", heading: [UInt8] = []
  ) -> HTTPRequest {
    var body: [UInt8] = []
    let files = [(name: picture, bytes: Wire.jpeg)]
    for part in parts + files {
      body += "--b\r\nContent-Disposition: form-data; name=\"\(part.name)\"".utf8 + heading
      body += "\r\n\r\n".utf8 + part.bytes + "\r\n".utf8
    }
    var headers = Self.identified
    headers[HeaderName.contentType] = "multipart/form-data; boundary=b"
    return HTTPRequest(method, target, headers: headers, body: body + "--b--\r\n".utf8)
  }

  private static let item: [(name: String, bytes: [UInt8])] = [
    ("title", "Lamp"), ("descriptions", "Bright"), ("price", "5"), ("currency", "KRW"),
    ("stock", "1"), ("password", "pw"),
  ].map { ($0.0, Array($0.1.utf8)) }

  private static func json(_ members: String) -> [UInt8] {
    Array(
      #"{"name":"Lamp","description":"Bright","price":5,"currency":"KRW","secret":"pw"\#(members)}"#
        .utf8)
  }

  @Test(arguments: broken) func `a part of a form that is no UTF-8 is refused by its name`(
    _ bytes: [UInt8]
  ) {
    for position in Self.item.indices {
      var parts = Self.item
      parts[position].bytes += bytes

      let refusals = [form("/item", parts), form("/item/8", parts, .patch)].map(problem)

      expect(refusals, [.malformed(part: parts[position].name, reason: "not UTF-8"), refusals[0]])
    }
    expect(problem(form("/item", Self.item)), nil)
  }

  @Test(arguments: broken) func `JSON that is no UTF-8 is refused, in a body and in a part`(
    _ bytes: [UInt8]
  ) {
    let object = Self.json(#","brand":""#).dropLast() + bytes + Array(#""}"#.utf8)

    let part = problem(form("/api/products", [("params", object)], picture: "images"))
    let bodies = [
      (HTTPMethod.patch, "/api/products/8"), (.patch, "/api/sellers/me"),
      (.post, "/api/products/8/archived"), (.patch, "/item/8"), (.delete, "/item/8"),
    ]
    .map { method, target in
      problem(
        HTTPRequest(
          method, RequestTarget(parsing: target), headers: Self.identified, body: object))
    }

    expect(part, .malformed(part: "params", reason: "not UTF-8"))
    expect(bodies, bodies.map { _ in .malformed(part: "body", reason: "not UTF-8") })
  }

  @Test(arguments: broken) func `names of a form's parts that are no UTF-8 are refused`(
    _ bytes: [UInt8]
  ) {
    let heading = Array("; filename=\"".utf8) + bytes + Array("\"".utf8)

    let problem = problem(form("/item", Self.item, heading: heading))

    guard case .malformed("body", let reason) = problem else {
      Issue.record("\(String(describing: problem))")
      return
    }
    #expect(reason.hasSuffix("the headers of a part are not UTF-8"))
  }

  @Test(arguments: ["%C0%DA", "%FF", "a%E2%82", "%ED%A0%80"])
  func `a query that is no UTF-8 is refused`(_ text: String) {
    for target in [
      "/api/products?search_value=\(text)", "/api/products?\(text)=1", "/items/1?x=\(text)",
    ] {
      expect(
        problem(HTTPRequest(.get, RequestTarget(parsing: target))),
        .malformed(part: "query", reason: "not UTF-8"))
    }
    // A broken escape is text.
    expect(problem(HTTPRequest(.get, "/api/products?search_value=%zz&x=100%")), nil)
    expect(problem(HTTPRequest(.get, "/api/products?search_value=%EC%9E%90")), nil)
  }

  @Test func `JSON with a byte order mark is taken in every body and part alike`() throws {
    let plain = Self.json("")
    let requests = { (body: [UInt8]) in
      [
        form("/api/products", [("params", body)], picture: "images"),
        HTTPRequest(.patch, "/api/products/8", headers: Self.identified, body: body),
        HTTPRequest(.patch, "/api/sellers/me", headers: Self.identified, body: body),
        HTTPRequest(.post, "/api/products/8/archived", headers: Self.identified, body: body),
        HTTPRequest(.post, "/api/products/8/secret", headers: Self.identified, body: body),
        HTTPRequest(.patch, "/item/8", body: Array(#"{"password":"pw","stock":1}"#.utf8)),
        HTTPRequest(.delete, "/item/8", body: Array(#"{"password":"pw"}"#.utf8)),
      ]
    }

    for (plain, marked) in zip(requests(plain), requests(Self.mark + plain)) {
      var marked = marked
      if marked.body.first == 0x7B { marked.body = Self.mark + marked.body }
      expect(problem(plain), nil)
      try expect(operation(marked).comparable, operation(plain).comparable)
    }
  }
}
