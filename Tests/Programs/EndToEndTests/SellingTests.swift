import TerminalTestSupport
import TestSupport
import Testing

/// What a seller does, on the local market and on servers of every year.
@Suite(.ownThread) struct SellingTests {
  private static let name = KeyboardSeller.name

  @Test(arguments: MarketKind.allCases)
  func `a product lives its whole life by keys alone, and its password is nowhere`(
    kind: MarketKind
  ) async throws {
    let market = try await MarketUnderTest(kind)
    let seller = try market.open()
    try seller.register(photos: 3)
    try seller.wait("1/3")
    try seller.wait("₩210,000")

    seller.type("<BS>e")
    for count in 1...3 {
      seller.give("wrong")
      let counts = ["\(5 - count) tries left", count == 1 ? "tried once" : "tried \(count) times"]
      try seller.session.wait(for: "wrong password \(count)") { screen in
        counts.contains { screen.contains("Wrong password") && screen.contains($0) }
      }
    }
    seller.give()
    try seller.wait("^S Save")
    try seller.append("!")
    try seller.wait("u Undo last edit")
    #expect(seller.session.screen.contains(Self.name + "!"))
    try seller.undo()
    // The last line says what was undone.
    #expect(!seller.session.screen.lines.dropLast().joined().contains(Self.name + "!"))
    seller.type("D")
    seller.give()
    try seller.wait("Delete it from")
    seller.type("y")
    // The market may tell of it before it answers.
    try seller.session.wait(for: "the list without it") {
      $0.contains("Deleted") && !$0.contains(Self.name)
    }

    try seller.quitWithoutTrace()
  }

  @Test(arguments: MarketKind.allCases)
  func `what two sellers changed is shown side by side`(kind: MarketKind) async throws {
    let market = try await MarketUnderTest(kind)
    let first = try market.open()
    try first.register()
    first.type("<BS>")
    try first.beginEdit()
    let second = try market.open()
    try second.beginEdit()
    try second.append("!")
    try second.wait("u Undo last edit")

    try first.append("?")

    try expectConflict(first)
  }

  /// Both versions of the name are there; one's own is chosen and sent.
  private func expectConflict(_ seller: KeyboardSeller) throws {
    try seller.wait("Changed by someone else")
    let screen = seller.session.screen
    #expect(screen.contains(Self.name + "?") && screen.contains(Self.name + "!"))
    seller.type("<Enter>")
    try seller.append("")
    try seller.wait("u Undo last edit")
    #expect(seller.session.screen.contains(Self.name + "?"))
  }

  @Test(arguments: MarketKind.allCases)
  func `an edit that was killed meets what has been changed since`(kind: MarketKind) async throws {
    let market = try await MarketUnderTest(kind)
    let first = try market.open()
    try first.register()
    first.type("<BS>")
    try first.beginEdit()
    first.type("?")
    try first.wait("Saved")
    try first.session.kill()
    let second = try market.open()
    second.type("e")
    try second.answerPrompt()
    try second.wait("Continue your draft")
    second.type("n")
    try second.wait("^S Save")
    try second.append("!")
    try second.wait("u Undo last edit")

    second.type("m")
    try second.wait("Edit (draft)")
    second.type("<Enter>")
    try second.answerPrompt()

    try expectConflict(second)
    try second.session.wait(for: "no draft") { !$0.contains("Edit (draft)") }
  }

  @Test(arguments: MarketKind.changingPhotos)
  func `an edit that removed a photo is taken back with it`(
    kind: MarketKind
  ) async throws {
    let market = try await MarketUnderTest(kind)
    let seller = try market.open()
    try seller.register(photos: 2)
    seller.type("<BS>")
    try seller.beginEdit()

    seller.type("<BackTab><Left><Del>")
    try seller.wait("Remove this photo?")
    seller.type("y<C-s>")
    try seller.wait("Save on")
    seller.type("<Enter>")
    try seller.wait("u Undo last edit")
    try seller.undo()

    seller.type("<Enter>")
    try seller.wait("1/2")
  }
}
