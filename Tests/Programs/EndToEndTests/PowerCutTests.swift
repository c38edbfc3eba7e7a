import Expectations
import Glibc
import HTTPTestSupport
import TerminalTestSupport
import TestSupport
import Testing

/// Programs that end from one instant to the next, as by a power cut.
@Suite(.ownThread) struct PowerCutTests {
  private func kill(_ session: TerminalSession) throws {
    session.terminal.signal(SIGKILL)
    try expect(session.waitForExit(), .killed(signal: SIGKILL))
  }

  @Test func `all that was said to be kept, let go, noted and watched is so afterwards`()
    async throws
  {
    let market = try await MarketUnderTest(.local)
    let first = try market.open().session
    first.type("*j*j*")
    try first.wait(forText: "★ Ware 003")
    first.type("*")
    try first.wait(forText: "Removed from favorites; press * again to undo")
    try kill(first)

    let second = try market.open().session
    try second.wait(for: "the stars") {
      $0.contains("★ Ware 001") && $0.contains("★ Ware 002") && !$0.contains("★ Ware 003")
    }
    second.type("i")
    try second.wait(forText: "Favorites 2")
    second.type("n")
    try second.wait(forText: "Only you see it")
    second.type("ask about the saddle<Enter>")
    try second.wait(forText: "Note: ask about the saddle")
    try kill(second)

    let third = try market.open().session
    try third.wait(forText: "★ Ware 001")
    third.type("i")
    try third.wait(forText: "ask about the saddle")
    try third.watchForPrice(below: "1")
    try kill(third)
  }

  @Test func `what was new for less than a second is new again, and later no more`() async throws {
    let market = try await MarketUnderTest(.server2023)
    let first = try market.open().session
    // Who touches no key has not been there.
    first.type("j")
    first.comeToRest()
    // What is shown at the beginning is noted after a second.
    _ = first.listen(for: .milliseconds(1_500))
    try kill(first)
    // One's own is no news.
    let another = try await MarketProgram(nil)
    try another.addPhoto("photo.jpg", fixture: "baseline.jpg")
    let registration = try another.run(
      [
        "new", "--name", "Mirror", "--price", "10000", "--description", "As good as new.",
        "--photo", another.path(of: "photo.jpg"), "--seller", "Hana", "--server",
        try #require(market.server).address,
      ], input: "p4ss-word\n")
    expect(registration.exit, .exited(status: 0), "\(registration.errors)")

    for _ in 1...2 {
      let early = try market.open(waitingFor: "•Mirror").session
      try kill(early)
    }
    let late = try market.open(waitingFor: "•Mirror").session
    late.type("j")
    // The mark stays for this visit; after a second on the screen it is noted for the next one.
    _ = late.listen(for: .milliseconds(2_400))
    #expect(late.screen.contains("•Mirror"))
    try kill(late)

    let last = try market.open().session
    try last.wait(forText: "Mirror")
    last.comeToRest()
    #expect(!last.screen.contains("•"))
  }

  @Test func `of several under way each is as before or as meant, and can be tried again`()
    async throws
  {
    let trouble = Trouble()
    let market = try await MarketUnderTest(.server2023) { request, _ in trouble.fault(for: request)
    }
    let killed = try market.open(asksAlways: false)
    try killed.registerAndMark(3)
    // The second reaches the server, whose answer does not come.
    trouble.next([nil, .stalls], for: .edits)
    killed.type("x<Enter>-10%<Enter>")
    try killed.wait("Save 3 changes")
    killed.type("y")
    try killed.wait("Sending… 1 of 3")
    await trouble.waitUntilMet()
    try kill(killed.session)

    let seller = try market.open(asksAlways: false)
    try seller.markOwn(3)
    // What is remembered from before is shown until the market has answered.
    try seller.session.wait(for: "three prices, of which some are new") { screen in
      let prices = screen.lines.filter { $0.contains(KeyboardSeller.name) }
        .map { $0.contains("₩189,000") ? "new" : $0.contains("₩210,000") ? "old" : "another" }
      return prices.count == 3 && Set(prices) == ["new", "old"]
    }
    seller.type("x<Enter>-10%<Enter>")
    try seller.wait("One password for 3 products")
    seller.give()
    try seller.session.wait(for: "the question, which says what each costs by now") {
      $0.contains("Save 3 changes") && $0.contains("₩216,000 → ₩194,400")
        && $0.contains("₩240,000 → ₩216,000")
    }
    seller.type("y")
    try seller.wait("3 of 3 done")
  }
}
