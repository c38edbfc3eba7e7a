import Expectations
import MarketModel
import MarketStrings
import MarketViewModels
import MarketViews
import SellingTestSupport
import TerminalKit
import TestSupport
import Testing

/// The products of one seller, with who that is above them.
struct SellerCardTests {
  private static let hana = Seller(id: Seller.ID(rawValue: 5), name: "하나네 가게")
  private static let mina = Seller(id: Seller.ID(rawValue: 6), name: "Mina")

  private func stage() async throws -> Stage {
    let stage = Stage(.list)
    try await stage.show([
      .sample(id: 3, seller: Self.mina), .sample(id: 2, seller: Self.hana),
      .sample(id: 1, seller: Self.hana),
    ])
    return stage
  }

  /// Presses `s` on the second product and answers everything that is asked for.
  private func visit(_ stage: Stage, contact: String? = "hana@example.com") async throws {
    stage.press("j", "s")
    var detail = ProductDetail.sample(of: .sample(id: 2, seller: Self.hana))
    detail.product.seller.contact = contact.flatMap { SellerContact($0) }
    try await stage.repository.details.next().answer(detail)
    try await stage.repository.totals.next().answer(.exactly(2))
    for _ in 0..<2 {
      let page = try await stage.repository.pages.next()
      let isLast = page.request.position == .number(2)
      let products = [2, 1].map { Product.sample(id: $0, seller: Self.hana) }
      page.answer(
        ProductPage(
          products: isLast ? [products[1]] : products, total: .exactly(2), next: nil))
    }
    await until { stage.browser.feed.head.count == 2 && stage.navigator.sellerVisit?.since != nil }
  }

  @Test func `the contact is copied by a click on it, and by the menu that its key opens`()
    async throws
  {
    let stage = try await stage()
    let program = FakeProgram()
    stage.navigator.program.delegate = program
    try await visit(stage)

    stage.click(12, 2)
    expect(program.copiedTexts, ["hana@example.com"])
    stage.press("x")
    var detail = ProductDetail.sample(of: .sample(id: 2, seller: Self.hana))
    detail.product.seller.contact = SellerContact("hana@example.com")
    try await stage.repository.details.next().answer(detail)
    await until { (stage.top as? MenuModel)?.sections.contains { $0.heading == .contact } == true }
    #expect(stage.lines(80, 24, .english).contains { $0.contains("Copy the contact") })
    stage.press(.end, .enter)

    await stage.settle()
    expect(program.copiedTexts, ["hana@example.com", "hana@example.com"])
  }

  @Test func `a seller without a contact is said to have none`() async throws {
    let stage = try await stage()

    try await visit(stage, contact: nil)

    expect(stage.lines(80, 24, .english)[2], " No contact given")
  }

  @Test func `Esc leads back to the product that led there`() async throws {
    let stage = try await stage()

    try await visit(stage)
    stage.press(.escape)

    expect(stage.browser.feed.query, ProductQuery())
    expect(stage.browser.selected?.id.rawValue, 2)
    #expect(stage.navigator.sellerVisit == nil)
  }

  @Test func `a market that does not know sellers says what to do instead`() async throws {
    var capabilities = RepositoryCapabilities.full
    capabilities.parts.remove(.seller)
    let stage = Stage(.list, repository: GatedProductRepository(capabilities: capabilities))
    try await stage.show(Product.samples([2, 1]))

    stage.press("s")

    #expect(stage.lines(80, 24, .english)[23].contains("search for the name with /"))
    expect(stage.browser.feed.query, ProductQuery())
  }
}
