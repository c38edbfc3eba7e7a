import TerminalTestSupport
import TestSupport
import Testing

/// A seller's own list, and how buyers reach them, by keys.
@Suite(.ownThread, .timeLimit(.minutes(2))) struct SellerTests {
  @Test(arguments: [MarketKind.local, .server2023])
  func `s shows what a seller sells and the contact that N gives`(_ kind: MarketKind) async throws {
    let market = try await MarketUnderTest(kind)
    let seller = try market.open()
    try seller.register()
    seller.type("<BS>")
    try seller.session.waitForSelection(KeyboardSeller.name)

    seller.type("s")
    try seller.session.wait(for: "the seller with the first contact") {
      $0.contains("1 product for sale") && $0.contains("Contact: 010-1234-5678")
        && !$0.contains("Ware 001")
    }
    seller.type("N")
    try seller.wait("Which name do you sell under?")
    seller.type("<C-u>Hana Kim<Enter>")
    try seller.wait("How can buyers reach you")
    seller.type("<C-u>hana@example.org<Enter>")
    try seller.wait("Seller name and contact saved")

    try seller.session.wait(for: "the new name and contact") {
      $0.contains("Hana Kim") && $0.contains("Contact: hana@example.org")
    }
    seller.type("<Enter>")
    try seller.wait("Ridden to work for a year.")
    try seller.wait("hana@example.org")
    seller.type("<BS><Esc>")
    try seller.wait("Ware 001")
  }
}
