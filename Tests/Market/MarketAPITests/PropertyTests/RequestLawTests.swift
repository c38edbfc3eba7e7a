import Expectations
import MarketAPI
import MarketModel
import Testing

/// What the client half writes, the server half reads as the same.
struct RequestLawTests {
  @Test(arguments: 0..<40)
  func `operations of v1 arrive as they were sent`(seed: UInt64) throws {
    var samples = SampleOperations(seed: seed)
    let router = MarketRouter([ProductsDialect(variant: .y2023), ItemsDialect()])

    for operation in samples.items() {
      try expectArrival(of: operation, from: ItemsDialect(), at: router)
    }
  }

  @Test(arguments: ProductsDialect.Variant.allCases, 0..<40)
  func `operations of v2 arrive as they were sent`(
    variant: ProductsDialect.Variant, seed: UInt64
  ) throws {
    var samples = SampleOperations(seed: seed)
    let dialect = ProductsDialect(variant: variant)
    let router = MarketRouter([dialect, ItemsDialect()])

    for operation in samples.products(variant) {
      try expectArrival(of: operation, from: dialect, at: router)
    }
  }

  @Test func `a client of one year is understood by a server of the other`() throws {
    var samples = SampleOperations(seed: 7)
    let router = MarketRouter([ProductsDialect(variant: .y2022), ItemsDialect()])

    for operation in samples.products(.y2023) {
      try expectArrival(of: operation, from: ProductsDialect(variant: .y2023), at: router)
    }
  }

  @Test(arguments: Wire.dialects.indices, 0..<10)
  func `a file field of a browser's form in which nothing was chosen changes nothing`(
    index: Int, seed: UInt64
  ) throws {
    let dialect = Wire.dialects[index]
    let router = MarketRouter([dialect])
    var samples = SampleOperations(seed: seed)
    let operations = dialect.name == "2021" ? samples.items() : samples.products(.y2023)
    let name = dialect.name == "2021" ? "images[]" : "images"
    let unused = MultipartPart(
      name: name, filename: "", contentType: "application/octet-stream", bytes: [])
    var count = 0

    for operation in operations {
      var request = try dialect.request(for: operation)
      let type = request.headers[HeaderName.contentType]
      guard type?.hasPrefix("multipart/") == true else { continue }
      let parts = try MultipartParser.parts(of: request.body, contentType: type)
      for position in 0...parts.count {
        var form = MultipartForm(parts: parts)
        form.parts.insert(unused, at: position)
        let encoded = form.encoded()
        request.headers[HeaderName.contentType] = encoded.contentType
        request.body = encoded.body

        try expect(router.route(request).operation.comparable, operation.comparable)
        count += 1
      }
    }
    #expect(count > 0)
  }

  private func expectArrival(
    of operation: MarketOperation, from dialect: any MarketDialect, at router: MarketRouter
  ) throws {
    let request = try dialect.request(for: operation)
    let sent = HTTPRequest(
      request.method, RequestTarget(parsing: request.target.text), headers: request.headers,
      body: request.body)

    try expect(router.route(sent).operation.comparable, operation.comparable)
  }
}
