import TerminalTestSupport
import TestSupport
import Testing

/// Selling often: one product after the other, from what there is already.
@Suite(.ownThread) struct SellingAgainTests {
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
