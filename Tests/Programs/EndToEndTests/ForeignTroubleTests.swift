import Expectations
import Glibc
import HTTPTestSupport
import TerminalTestSupport
import TestSupport
import Testing

/// What one keeps, what is new, what one waits for and several products at once, on servers of others
/// that fail in the middle.
@Suite(.ownThread) struct ForeignTroubleTests {
  private static let password = "p4ss-word"
  private let trouble = Trouble()

  private func market(_ kind: MarketKind) async throws -> MarketUnderTest {
    let trouble = trouble
    return try await MarketUnderTest(kind, isForeign: true) { request, _ in
      // A server of 2021 has none of the later paths, so that clients recognize it.
      if kind == .server2021, request.path.hasPrefix("/api/") { return .answers(status: 404) }
      return trouble.fault(for: request)
    }
  }

  /// Lists a product past all faults; its number.
  private func register(
    _ name: String, _ price: Int, on market: MarketUnderTest
  ) throws -> String {
    try market.program.addPhoto("photo.jpg", fixture: "baseline.jpg")
    let run = try market.run(
      [
        "new", "--name", name, "--price", "\(price)", "--description", "As good as new.",
        "--photo", market.program.path(of: "photo.jpg"), "--seller", "Hana",
      ], password: Self.password)
    expect(run.errors, "")
    return String(try #require(run.output.split(separator: "\n").first).dropFirst(3))
  }

  @Test(arguments: MarketKind.foreign)
  func `what is kept stays whatever becomes of answers, and is gone only where the server says so`(
    kind: MarketKind
  ) async throws {
    let market = try await market(kind)
    let seller = try market.open()
    trouble.begin(.cutsAnswer)
    seller.type("j*")
    try seller.session.wait(for: "the star, and that it is kept") {
      $0.contains("★ Ware 002") && $0.contains("Added to favorites; press * again to remove it")
    }
    seller.type("i")
    try seller.wait("Favorites 1")

    // Servers of others are asked when a product is opened: then it says why it is as seen last.
    for (fault, words) in [
      (ProxyFault.cutsAnswer, "connection was lost"), (.answers(status: 500), "(status 500)"),
    ] {
      trouble.begin(fault)
      seller.type("<Enter>")
      try seller.session.wait(for: "the product as it was seen, and why") {
        $0.contains("★ favorite") && $0.contains("Ware 002") && $0.contains(words)
      }
      seller.type("q")
      try seller.wait("Favorites 1")
      #expect(!seller.session.screen.contains("unavailable since"))
    }
    trouble.begin(.answersSlowly)
    seller.type("<Enter>")
    try seller.wait("As good as new.")
    seller.type("q")
    try seller.wait("Favorites 1")
    trouble.begin(.answers(status: 404))
    seller.type("<Enter>")
    try seller.wait("There is no such product")
    seller.type("q")

    try seller.session.wait(for: "the list, and that it is gone") {
      $0.contains("Favorites 1") && $0.contains("unavailable since")
    }
    seller.session.terminal.signal(SIGKILL)
  }

  @Test(arguments: MarketKind.foreign)
  func `a visit of which nothing came is none, and what is new is still new`(
    kind: MarketKind
  ) async throws {
    let market = try await market(kind)
    let first = try market.open().session
    first.type("jq")
    _ = try first.waitForExit()
    for name in ["Chair", "Mirror"] { _ = try register(name, 10_000, on: market) }

    for (fault, words) in [
      (ProxyFault.answers(status: 500), "(status 500)"), (.cutsAnswer, "connection was lost"),
    ] {
      trouble.begin(fault)
      let failing = try market.open(waitingFor: words).session
      #expect(!failing.screen.contains("Mirror"))
      failing.type("q")
      _ = try failing.waitForExit()
    }
    trouble.begin(.answersSlowly)
    let slow = try market.open(waitingFor: "2 new").session
    try slow.wait(forText: "•Mirror")
    // Who touches no key has not been there.
    slow.type("j")
    // What was on the screen for a second counts as seen from the next visit on.
    _ = slow.listen(for: .milliseconds(2_400))
    #expect(slow.screen.contains("•Mirror"))
    try slow.kill()
    trouble.end()

    let last = try market.open().session
    try last.wait(forText: "Mirror")
    last.comeToRest()
    #expect(!last.screen.contains("•"))
  }

  @Test(arguments: MarketKind.foreign)
  func `of several, each is changed once however often it is tried, and all are in the end`(
    kind: MarketKind
  ) async throws {
    let market = try await market(kind)
    let seller = try market.open(asksAlways: false)
    try seller.registerAndMark(2)

    trouble.next([.losesAnswer, .answers(status: 500)], for: .edits)
    seller.type("x<Enter>-10%<Enter>")
    try seller.wait("Save 2 changes")
    seller.type("y")
    try seller.session.wait(for: "one without an answer, one that was not sent") {
      $0.contains("0 of 2 done") && $0.contains("connection was lost") && $0.contains("not sent")
    }
    try seller.tryAgain("Save ")
    try seller.wait("(status 500)")
    try seller.tryAgain("Save 1 change")
    try seller.session.wait(for: "the end") {
      $0.contains("2 of 2 done") && !$0.contains("(status 500)")
    }
    seller.type("<Esc>")
    try seller.session.wait(for: "the new prices, counted once") { screen in
      screen.lines.count { $0.contains("₩189,000") } == 2 && !screen.contains("2 of 2 done")
    }

    trouble.next([.cutsAnswer], for: .edits)
    seller.type("Vx<Down><Enter>5<Enter>")
    try seller.wait("Save 2 changes")
    seller.type("y")
    try seller.wait("0 of 2 done")
    try seller.tryAgain("Save ")
    try seller.wait("2 of 2 done")
    seller.type("<Esc>")
    try seller.session.wait(for: "the list alone") { !$0.contains("2 of 2 done") }

    trouble.next([.losesAnswer, .answers(status: 500)], for: .deletions)
    seller.type("VD")
    try seller.wait("One password to delete 2 products")
    seller.give()
    try seller.wait("Delete 2 products")
    seller.type("y")
    try seller.wait("0 of 2 done")
    try seller.tryAgain("Delete ")
    try seller.wait("(status 500)")
    try seller.tryAgain("Delete 1 product")
    try seller.wait("2 of 2 done")
    seller.type("<Esc>")
    try seller.session.wait(for: "no products") { !$0.contains(KeyboardSeller.name) }
    try expect(market.count(of: KeyboardSeller.name, waitingFor: "Ware 001"), 0)
  }

  @Test(arguments: [MarketKind.plain2023, .server2021])
  func `a look that fails tells nothing and forgets nothing`(kind: MarketKind) async throws {
    let market = try await market(kind)
    let cup = try register("Cup", 12_000, on: market)
    let seller = try market.open()
    try seller.session.watchForPrice(below: "10,000")
    seller.type("<C-c>")
    _ = try seller.session.waitForExit()
    let edit = try market.run(["edit", cup, "--price", "9000"], password: Self.password)
    expect(edit.errors, "")

    func look() throws -> PipedRun { try market.program.run("alerts", "--language", "en") }
    for (fault, words) in [
      (ProxyFault.cutsAnswer, "connection was lost"),
      (.answers(status: 500), "(status 500)"),
      (.losesAnswer, "connection was lost"),
    ] {
      trouble.begin(fault)
      let failed = try look()
      #expect(failed.exit == .exited(status: 1) && failed.output == "")
      #expect(failed.errors.contains(words), "\(failed.errors)")
    }
    trouble.begin(.answersSlowly)
    let slow = try look()
    expect(slow.exit, .exited(status: 0), "\(slow.errors)")
    #expect(slow.output.contains("Cup is ₩9,000, below ₩10,000"))
    trouble.end()
    try expect(look().exit, .exited(status: 5))
  }
}
