import Expectations
import Testing

@testable import TerminalKit

/// What terminals say of their colours.
struct ColorQueryTests {
  @Test(
    arguments: [
      ("48:2:1:2:3", .direct), ("48:2::1:2:3", .direct), ("0;48;2;1;2;3", .direct),
      ("48:2:0:0:0", nil), ("48:5:16", .palette256), ("100", .ansi16), ("0;40", .ansi8), ("0", nil),
    ] as [(Substring, ColorDepth?)])
  func `a background that was kept as it was set is one of all colours`(
    look: Substring, depth: ColorDepth?
  ) {
    expect(ColorQuery.kept(in: look), depth)
  }

  @Test(
    arguments: [
      ("RGB", "8", .direct), ("Tc", "", .direct), ("Co", "256", .palette256), ("Co", "many", nil),
      ("cols", "256", nil),
    ] as [(String, String, ColorDepth?)])
  func `capabilities are told by their names`(name: String, value: String, depth: ColorDepth?) {
    expect(ColorQuery.stated(name, value), depth)
  }
}
