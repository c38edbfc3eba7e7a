import TerminalTestSupport
import TestSupport
import Testing

/// Selling often: one product after the other, from what there is already.
@Suite(.ownThread, .timeLimit(.minutes(3))) struct SellingAgainTests {
  @Test(arguments: [MarketKind.local, .server2023])
  func `a copy is changed and sent, one is back in the list, and n sells another`(
    _ kind: MarketKind
  ) async throws {
    let market = try await MarketUnderTest(kind)
    let seller = try market.open()
    try seller.register(photos: 2)
    seller.type("<BS>")
    try seller.session.waitForSelection(KeyboardSeller.name)

    seller.type("c")
    try seller.wait("2/5")
    #expect(seller.session.screen.contains(KeyboardSeller.name))
    // Back from the name to the repetition, and to the password above it.
    seller.type("<C-u>Blue bike<BackTab><BackTab><BackTab>")
    seller.typeNewPassword()
    seller.type("<C-s>")
    try seller.wait("List it on")
    seller.type("<Enter>")
    try seller.wait("Listed: Blue bike")

    try seller.session.wait(for: "the list with both and its place") {
      $0.contains("Ware 001") && $0.contains("Sell another")
        && $0.lines.contains { $0.contains("Blue bike") }
    }
    seller.type("n")
    try seller.wait("0/5")
    #expect(!seller.session.screen.contains("Blue bike"))
  }

  @Test func `what is somebody else's is not copied`() async throws {
    let seller = try await MarketUnderTest(.local).open()

    seller.type("c")

    try seller.wait("Only your own products")
  }

  @Test func `a template fills new forms, also after a restart, and stays`() async throws {
    let market = try await MarketUnderTest(.local)
    let first = try market.open()
    try first.fillIn()
    // What was typed is kept as well, and is offered above the template.
    try first.wait("Saved ")
    first.type("<F7>")
    try first.wait("Name of the template")
    first.type("<C-u>Bikes<Enter>")
    try first.wait("Template saved")
    try first.session.kill()

    let second = try market.open()
    second.type("n")
    try second.wait("Bikes")
    second.type("<Down><Enter>")
    try second.wait("1/5")
    #expect(second.session.screen.contains(KeyboardSeller.name))
    second.type("<Esc>")
    try second.wait("Ware 001")
    second.type("n")
    try second.wait("Bikes")
    let run = try market.program.run(
      [
        "new", "--template", "Bikes", "--name", "Third bike", "--seller", "Hana", "--language",
        "en",
      ],
      input: "secret\n")
    #expect(run.output.contains("Third bike") && run.errors == "")
  }
}
