import TerminalTestSupport
import Testing

@Suite struct ResizingTests {
  private static let sizes = [
    (160, 50), (80, 24), (40, 12), (20, 6), (19, 5), (3, 2), (1, 1), (2, 60), (240, 1), (240, 60),
  ].map(TerminalSize.init)

  @Test(arguments: [("list", "jj"), ("grid", "ll")] as [(String, KeyScript)])
  func `any size is survived and the product stays`(view: String, keys: KeyScript) async throws {
    let session = try await MarketProgram().open(
      "--view", view, size: TerminalSize(columns: 240, rows: 60))
    try session.wait(forText: "Ware 001")
    session.type(keys)

    for size in Self.sizes {
      try session.resizeAndWait(to: size)
    }

    try session.wait(forText: "Ware 003")
    session.type("q")
    #expect(try session.waitForExit() == .exited(status: 0))
  }
}
