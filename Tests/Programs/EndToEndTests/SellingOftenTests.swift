import TerminalTestSupport
import TestSupport
import Testing

/// What a seller does every evening: with one password, and with several products at once.
@Suite(.ownThread) struct SellingOftenTests {
  @Test(arguments: [MarketKind.local, .server2023, .plain2023])
  func `a password that was right is not asked for again, until it is forgotten`(
    kind: MarketKind
  ) async throws {
    let market = try await MarketUnderTest(kind)
    let seller = try market.open(asksAlways: false)
    try seller.register()
    try seller.wait("password 5m")

    seller.type("<BS>e")
    try seller.wait("^S Save")
    try seller.append("!")
    try seller.wait("u Undo last edit")
    try seller.undo(givingPassword: false)
    seller.type("D")
    try seller.wait("Password")
    seller.type("<Esc>")
    try seller.session.wait(for: "the list alone") { !$0.contains("Password") }
    seller.type("!")
    try seller.wait("Password forgotten")
    seller.type("e")
    try seller.wait("Enter the password")

    seller.type("<Esc>")
    try seller.session.wait(for: "the list alone") { !$0.contains("Enter the password") }
    try seller.quitWithoutTrace()
  }

  @Test func `stopping the program wipes the password`() async throws {
    let program = try await MarketProgram()
    let session = try program.openInShell("--language", "en", "--view", "list")
    let seller = KeyboardSeller(session: session, program: program, kind: .local)
    try seller.wait("Ware 001")
    try seller.register()
    try seller.wait("password 5m")

    seller.type("<C-z>")
    try seller.wait("Stopped")
    seller.type("fg<Enter>")
    try seller.session.wait(for: "the market again") { $0.modes.isInAlternateScreen }
    try session.wait(for: "no password that is kept") { !$0.contains("password 5m") }
    seller.type("e")
    try seller.wait("Enter the password")
  }

  @Test func `who is always asked has no password kept, by a line of the settings`() async throws {
    let market = try await MarketUnderTest(.local)
    try market.program.addFile(".config/market/settings.json", #"{ "no-password-cache": true }"#)
    let seller = try market.open(asksAlways: false)
    try seller.register()

    for _ in 1...2 {
      #expect(!seller.session.screen.contains("password 5m"))
      seller.type("e")
      try seller.wait("Enter the password")
      seller.give()
      try seller.wait("^S Save")
      seller.type("<Esc>")
      try seller.session.wait(for: "the product") { !$0.contains("^S Save") }
    }
  }

  @Test(arguments: [MarketKind.local, .server2023, .plain2023])
  func `several products get a price and a stock and are deleted with one question each`(
    kind: MarketKind
  ) async throws {
    let market = try await MarketUnderTest(kind)
    let seller = try market.open(asksAlways: false)
    try seller.registerAndMark(2)

    seller.type("x<Enter>-10%<Enter>")
    try seller.wait("Save 2 changes")
    try seller.wait("₩240,000 → ₩216,000")
    seller.type("y")
    try seller.wait("2 of 2 done")
    seller.type("<Esc>")
    try seller.session.wait(for: "the new prices alone") {
      $0.contains("₩189,000") && !$0.contains("2 of 2 done")
    }

    seller.type("Vx<Down><Enter>5<Enter>")
    try seller.wait("Save 2 changes")
    seller.type("y")
    try seller.wait("2 of 2 done")
    seller.type("<Esc>")
    try seller.session.wait(for: "the new stock") { screen in
      screen.lines.count { $0.contains("×5") } == 2 && !screen.contains("2 of 2 done")
    }

    seller.type("VD")
    try seller.wait("One password to delete 2 products")
    seller.give()
    try seller.wait("Delete 2 products")
    seller.type("y")
    try seller.wait("2 of 2 done")
    seller.type("<Esc>")
    try seller.session.wait(for: "no products") { !$0.contains(KeyboardSeller.name) }
  }
}
