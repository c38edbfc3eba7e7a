import TerminalTestSupport
import TestSupport
import Testing

/// A question with an offer, from its first letter to the reservation, by keys in two programs on one
/// file.
@Suite(.ownThread, .timeLimit(.minutes(2))) struct QuestionTests {
  @Test func `what is asked survives a crash, and is answered with a reservation`() async throws {
    let home = try await MarketProgram(GeneratedMarket(products: []))
    let list = ["--language", "en", "--view", "list"]
    let words = ["--store", home.path(of: "trial.market")] + list
    try home.addPhoto("chair.jpg", fixture: "baseline.jpg")
    let run = try home.run(
      [
        "new", "--name", "Old chair", "--price", "1000", "--description", "As good as new.",
        "--seller", "Hana", "--photo", home.path(of: "chair.jpg"),
      ] + list.prefix(2), input: "sesame\n")
    #expect(run.exit == .exited(status: 0), "\(run.errors)")
    let program = try await MarketProgram(nil)
    var asker = try program.open(words: words)
    try asker.wait(forText: "Old chair")
    asker.type("<Enter>a")
    try asker.wait(forText: "Ask about “Old chair”")
    asker.type("Is it still there?<Tab>900<Tab>Mi")
    try asker.wait(forText: "10% less")
    await poll { program.keptDrafts.contains { $0.contains("Mi") && $0.contains("900") } }

    try asker.kill()
    asker = try program.open(words: words)
    try asker.wait(forText: "Old chair")
    asker.type("<Enter>a")
    try asker.wait(forText: "Is it still there?")
    try asker.wait(forText: "10% less")
    asker.type("na<C-s>")
    try asker.wait(forText: "Mina (you)")
    await poll { program.keptDrafts.isEmpty }

    let seller = try home.open(words: list)
    try seller.wait(forText: "Old chair")
    seller.type("<Enter>")
    try seller.wait(forText: "• Mina")
    try seller.wait(forText: "Offers ₩900")
    seller.type("Q<Enter>")
    try seller.wait(forText: "[ ] Reserve for Mina")
    seller.type("Come this evening.<Tab> <C-s>")
    try seller.wait(forText: "Password")
    seller.type("sesame<Enter>")
    try seller.wait(forText: "Answered")

    try asker.wait(forText: "Come this evening.")
    asker.type("<Esc>")
    try asker.wait(for: "the reserved row") {
      $0.lines.contains { $0.contains("Old chair") && $0.contains("Reserved") }
    }
  }
}

extension MarketProgram {
  /// The drafts on disk, as their files hold them.
  fileprivate var keptDrafts: [String] {
    let script = "find \"$HOME\" -name draft -exec cat {} +"
    return (try? runShell(script).output).map { $0.isEmpty ? [] : [$0] } ?? []
  }
}
