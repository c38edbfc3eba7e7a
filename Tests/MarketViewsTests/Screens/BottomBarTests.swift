import MarketModel
import MarketViewModels
import MarketViews
import TerminalKit
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct BottomBarTests {
  private static let other = Seller(id: Seller.ID(rawValue: 9), name: "Someone else")

  /// The footer of an open detail whose product is this seller's, while another one sells.
  private func footer(
    of seller: Seller, capabilities: RepositoryCapabilities = .full
  ) async -> String {
    let stage = Stage(
      repository: GatedProductRepository(capabilities: capabilities), sells: true)
    await stage.show([.sample(id: 1, seller: seller)])
    stage.press(.enter)
    return stage.lines(160, 24, .english).last ?? ""
  }

  @Test func `what cannot succeed for another seller's product is not offered`() async {
    let footer = await footer(of: Self.other)

    #expect(!footer.contains("Edit") && !footer.contains("Delete"))
    #expect(footer.contains("Help"))
  }

  @Test func `a guest's product may be changed by whoever knows its password`() async {
    #expect(await footer(of: .guest).contains("e Edit  D Delete"))
  }

  @Test func `where the market does not tell whose a product is, the password decides`() async {
    var capabilities = RepositoryCapabilities.full
    capabilities.queriesBySeller = false

    #expect(await footer(of: Self.other, capabilities: capabilities).contains("e Edit  D Delete"))
  }
}
