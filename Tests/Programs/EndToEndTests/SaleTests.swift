import Expectations
import PostgresTestSupport
import TerminalTestSupport
import TestSupport
import Testing

/// A sale from its reservation on, as its seller makes it and another person sees it, on one server.
@Suite(.ownThread) struct SaleTests {
  private static let photo = "Tests/Fixtures/Pictures/baseline.jpg"
  private static let sentence = "Reserved just now: " + KeyboardSeller.name

  /// Waits until the product's row says what became of it, above the selected one as before.
  private func expectRow(_ words: String, _ session: TerminalSession) throws {
    try session.wait(for: "a row with \(words)") {
      $0.lines.contains { $0.contains(KeyboardSeller.name) && $0.contains(" \(words)") }
    }
    let lines = session.screen.lines
    let row = try #require(
      lines.firstIndex { $0.contains(KeyboardSeller.name) && $0.contains(" \(words)") })
    #expect(row < (lines.firstIndex { $0.hasPrefix("▌") && $0.contains("Old chair") } ?? 0))
  }

  /// Reserves, sells and undoes in one program what another one shows.
  ///
  /// `market` says which one both open; one that has its own store by itself has it there.
  private func sell(
    at market: [String], by program: MarketProgram, _ kind: MarketKind
  ) async throws {
    let words = (kind == .local ? [] : market) + ["--language", "en"]
    try program.addPhoto("chair.jpg", fixture: "baseline.jpg")
    let run = try program.run(
      [
        "new", "--name", "Old chair", "--price", "1000", "--description", "As good as new.",
        "--seller", "Hana", "--photo", program.path(of: "chair.jpg"),
      ] + words, input: "sesame\n")
    expect(run.exit, .exited(status: 0), "\(run.errors)")
    let list = words + ["--view", "list"]
    let seller = KeyboardSeller(
      session: try program.open(words: list), program: program, kind: kind)
    try seller.wait("Old chair")
    try seller.register()
    seller.type("<BS>")
    try seller.wait("Old chair")
    let other = try await MarketProgram(nil).open(
      words: market + ["--language", "en", "--view", "list"])
    try other.wait(forText: KeyboardSeller.name)
    other.type("j")
    try other.waitForSelection("Old chair")

    seller.type("z")
    try expectRow("Reserved", other)
    try other.wait(forText: Self.sentence)
    expect(other.screen.lines.count { $0.contains(Self.sentence) }, 1)
    other.type("kj")
    try other.wait(for: "no sentence any more") { !$0.contains(Self.sentence) }
    try other.waitForSelection("Old chair")
    try seller.wait("u Undo last edit")

    seller.type("Z")
    try expectRow("Sold", other)
    #expect(!other.screen.contains(Self.sentence))
    try seller.wait("Marked as sold")

    try seller.undo(givingPassword: false)
    try expectRow("Reserved", other)
    #expect(other.screen.lines.contains { $0.contains(KeyboardSeller.name) && $0.contains("₩") })
  }

  @Test func `a server of a file tells everybody of a sale, and of its undo`() async throws {
    let server = try await TrialServer(GeneratedMarket(products: []))
    try await sell(at: ["--server", server.address], by: try await MarketProgram(nil), .server2023)
  }

  @Test(.enabled(if: TestCluster.isPossible, Comment(rawValue: TestCluster.hint)))
  func `a server of a database tells everybody of a sale, and of its undo`() async throws {
    let cluster = try TestCluster()
    let server = try TrialServer(of: cluster.emptySchema())
    try await sell(at: ["--server", server.address], by: try await MarketProgram(nil), .server2023)
  }

  @Test func `two programs on one file tell each other of a sale, and of its undo`() async throws {
    let program = try await MarketProgram(GeneratedMarket(products: []))

    try await sell(at: ["--store", program.path(of: "trial.market")], by: program, .local)
  }

  @Test func `a guest reserves what another guest sees`() async throws {
    let door = try await GuestDoor()
    let photo = try door.runShell("$SSH $TARGET upload-photo < \(Self.photo)")
    #expect(photo.output.hasPrefix("photo-1 is in your tray"), "\(photo.errors)")
    let new =
      "new --name '\(KeyboardSeller.name)' --price 9000 --description 'With 21 gears.' --seller Hana"
    try expect(door.run(new, input: "open sesame\n").exit, .exited(status: 0))
    let (seller, other) = (try door.open(), try door.open(as: "two"))
    for session in [seller, other] { try session.wait(forText: KeyboardSeller.name) }

    seller.type("z")
    try seller.wait(forText: "Password")
    seller.type("open sesame<Enter>")

    try other.wait(forText: Self.sentence)
    try other.wait(forText: "Reserved")
    let run = try door.run("list --filter reserved", as: "two")
    #expect(run.output.contains(KeyboardSeller.name))
  }
}
