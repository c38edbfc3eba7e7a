import Expectations
import TerminalTestSupport
import TestSupport
import Testing

@Suite(.ownThread) struct ResizingTests {
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
    try expect(session.waitForExit(), .exited(status: 0))
  }

  /// Sizes that no window has, and that the system reports all the same where one sets them (stty).
  private static let claims = [
    (0, 0), (0, 24), (1, 1), (40_000, 24), (80, 40_000), (32_768, 32_768), (65_535, 65_535),
  ].map(TerminalSize.init)

  @Test(arguments: claims)
  func `a size that no window has ends in a frame of bounded cost`(size: TerminalSize) async throws
  {
    let session = try await MarketProgram().open("--view", "list")
    try session.wait(forText: "Ware 001")
    let before = session.output.count

    session.terminal.resize(to: size)
    try session.wait(for: "a frame") { _ in session.output.count > before }

    try expectEnd(of: session)
  }

  @Test(arguments: claims)
  func `the program also starts at a size that no window has`(size: TerminalSize) async throws {
    let session = try await MarketProgram().open(claiming: size)

    try session.wait(for: "a frame") { $0.modes.isInAlternateScreen }

    try expectEnd(of: session)
  }

  /// Quits, which is heard at any size, without having needed much memory.
  private func expectEnd(of session: TerminalSession) throws {
    let process = ProcessInformation(of: session.terminal.process)
    let peak = try #require(process.peakResidentKilobytes)
    #expect(SanitizerOptions.environment.isEmpty == false || peak < 512 << 10)
    session.type("q")
    try expect(session.waitForExit(), .exited(status: 0))
    expect(session.unrestored, [])
  }
}
