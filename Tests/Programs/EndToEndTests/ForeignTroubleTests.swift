import Glibc
import HTTPTestSupport
import TerminalTestSupport
import TestSupport
import Testing

/// What one keeps, what is new, what one waits for and several products at once, on servers of others
/// that fail in the middle.
@Suite(.timeLimit(.minutes(3))) struct ForeignTroubleTests {
  private static let password = "p4ss-word"
  private let trouble = Trouble()

  private func market(_ kind: MarketKind) async throws -> MarketUnderTest {
    let trouble = trouble
    return try await MarketUnderTest(kind, isForeign: true) { request, _ in
      // A server of 2021 has nothing of what came later, so that whoever looks finds out what it is.
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
    #expect(run.errors == "")
    return String(try #require(run.output.split(separator: "\n").first).dropFirst(3))
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
    try slow.wait(for: "the end of the marks") { !$0.contains("•") && !$0.contains("2 new") }
    slow.terminal.signal(SIGKILL)
    _ = try slow.waitForExit()
    trouble.end()

    let last = try market.open().session
    try last.wait(forText: "Mirror")
    last.comeToRest()
    #expect(!last.screen.contains("•"))
  }

  @Test(arguments: [MarketKind.plain2023, .server2021])
  func `a look that fails tells nothing and forgets nothing`(kind: MarketKind) async throws {
    let market = try await market(kind)
    let cup = try register("Cup", 12_000, on: market)
    let seller = try market.open()
    seller.type("t")
    try seller.wait("Price below…")
    seller.type("<Enter>")
    try seller.wait("Watch for a price below")
    seller.type("10,000<Enter>")
    try seller.wait("You will be told")
    seller.type("<C-c>")
    _ = try seller.session.waitForExit()
    let edit = try market.run(["edit", cup, "--price", "9000"], password: Self.password)
    #expect(edit.errors == "")

    func look() throws -> PipedRun { try market.program.run("watch", "--language", "en") }
    for (fault, words) in [
      (ProxyFault.cutsAnswer, "connection was lost"),
      (.answers(status: 500), "There is no Open Market at this address"),
      (.losesAnswer, "connection was lost"),
    ] {
      trouble.begin(fault)
      let failed = try look()
      #expect(failed.exit == .exited(status: 1) && failed.output == "")
      #expect(failed.errors.contains(words), "\(failed.errors)")
    }
    trouble.begin(.answersSlowly)
    let slow = try look()
    #expect(slow.exit == .exited(status: 0), "\(slow.errors)")
    #expect(slow.output.contains("Cup is ₩9,000, below ₩10,000"))
    trouble.end()
    #expect(try look().exit == .exited(status: 5))
  }
}
