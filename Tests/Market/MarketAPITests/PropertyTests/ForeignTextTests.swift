import Expectations
import MarketAPI
import MarketModel
import TestSupport
import Testing

/// Texts of foreign servers, which are cut where they are longer than texts may be.
struct ForeignTextTests {
  private static let long = "a" + String(repeating: "\u{301}", count: 100_000)

  private func product(_ name: String, _ description: String) -> String {
    """
    {"id":1,"vendor_id":2,"vendorName":"\(name)","name":"\(name)","title":"\(name)",\
    "description":"\(description)","descriptions":"\(description)","currency":"KRW","price":1,\
    "stock":1,"created_at":"2023-03-02T00:00:00","registration_date":1.0,"message":"\(name)"}
    """
  }

  private func response(_ body: String, _ status: HTTPStatus = .ok) -> HTTPResponse {
    HTTPResponse(status, body: Array(body.utf8))
  }

  @Test func `names, descriptions and sellers of a foreign server are cut`() throws {
    let text = product(Self.long, String(repeating: Self.long, count: 10))
    let page = response(#"{"pages":[\#(text)],"items":[\#(text)]}"#)

    for dialect in Wire.oldDialects {
      let listed = try dialect.page(from: page, for: PageRequest()).products
      let detail = try dialect.detail(
        from: response(text), for: .detail(Product.ID(rawValue: 1)))

      expect(listed.count, 1)
      for product in listed + [detail.product] {
        #expect(TextLimit.productName.allows(product.name) && !product.name.isEmpty)
        #expect(TextLimit.sellerName.allows(product.seller.name))
      }
      #expect(TextLimit.description.allows(detail.description) && !detail.description.isEmpty)
    }
  }

  @Test func `a currency without end is none, and what a server says is cut`() throws {
    let text = product("mug", "").replacing("KRW", with: Self.long)
    let page = response(#"{"pages":[\#(text)],"items":[\#(text)]}"#)
    let refusal = response(
      #"{"message":"name \#(Self.long)","fields":[]}"#, .badRequest)

    for dialect in Wire.oldDialects {
      let listed = try dialect.page(from: page, for: PageRequest()).products
      expect(listed.map(\.pricing), [.unreadable])
    }
    let registering = MarketOperation.register(.sample(), .guest, nil)
    #expect {
      try ProductsDialect(variant: .y2023).detail(from: refusal, for: registering)
    } throws: { error in
      guard case .invalid(let fields)? = error as? RepositoryError,
        case .refused(let words)? = fields.first?.problem
      else { return false }
      return TextLimit.message.allows(words)
    }
  }
}
