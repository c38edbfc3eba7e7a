import Expectations
import TerminalTestSupport
import TestSupport
import Testing

/// What is new since the last visit and what has another price, by keys, on markets of all kinds.
@Suite(.ownThread) struct SeeingTests {
  private static let password = "p4ss-word\n"

  /// A program, and the words that name its market.
  private struct Market {
    let program: MarketProgram
    let server: TrialServer?
    let words: [String]

    init(_ kind: MarketKind) async throws {
      let trial = GeneratedMarket.rows(30)
      program = try await MarketProgram(kind == .local ? trial : nil)
      server = kind == .local ? nil : try await TrialServer(trial)
      let address = server.map { ["--server", $0.address] } ?? []
      try program.addPhoto("photo.jpg", fixture: "baseline.jpg")
      words = address + (kind.generation.map { ["--api", $0] } ?? []) + ["--language", "en"]
    }

    func open() throws -> TerminalSession {
      try program.open(words: words + ["--view", "list"])
    }

    @discardableResult
    func run(_ arguments: String...) throws -> PipedRun {
      let run = try program.run(arguments + words, input: SeeingTests.password)
      expect(run.errors, "")
      return run
    }

    func register(_ name: String, _ price: Int, seller: Bool) throws -> String {
      let words = [
        "new", "--name", name, "--price", "\(price)", "--description", "As good as new.",
        "--photo", program.path(of: "photo.jpg"),
      ]
      let run = try program.run(
        words + (seller ? ["--seller", "Hana"] : []) + self.words, input: SeeingTests.password)
      return String(try #require(run.output.split(separator: "\n").first).dropFirst(3))
    }
  }

  @Test(arguments: [MarketKind.local, .server2023, .server2021])
  func `new ones are marked until they are seen, and prices say what they were`(
    _ kind: MarketKind
  ) async throws {
    let market = try await Market(kind)
    let lamp = try market.register("Lamp", 240_000, seller: kind.knowsSellers)
    // The first visit: nothing is new. The lamp is on the screen until it is noted.
    let first = try market.open()
    try first.wait(forText: "Lamp")
    first.comeToRest()
    _ = first.listen(for: .milliseconds(1_500))
    #expect(!first.screen.contains("•"))
    first.type("jq")
    _ = try first.waitForExit()
    try market.run("edit", lamp, "--price", "200000")
    for name in ["Chair", "Mirror"] {
      _ = try market.register(name, 10_000, seller: kind.knowsSellers)
    }

    let second = try market.open()
    try second.wait(forText: "2 new")
    try second.wait(forText: "•Mirror")
    try second.wait(forText: "was ₩240,000")
    // They stay for the visit; what was on the screen for a second is seen from the next one on.
    _ = second.listen(for: .milliseconds(1_500))
    #expect(second.screen.contains("•Mirror") && second.screen.contains("2 new"))
    #expect(second.screen.contains("was ₩240,000"))
    // What was selected before may still be, below what came.
    second.type("3G<Enter>")
    try second.wait(forText: "was ₩240,000 just now")
    // As by a power cut of the program.
    try second.kill()

    let third = try market.open()
    try third.wait(forText: "Chair")
    third.comeToRest()
    #expect(!third.screen.contains("•") && !third.screen.contains("↓"))
  }
}
