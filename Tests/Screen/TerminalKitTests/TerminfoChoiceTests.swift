import Expectations
import Testing

@testable import TerminalKit

struct TerminfoChoiceTests {
  @Test(
    arguments: [
      (TerminalEnvironment(name: "xterm-256color", colorTerm: "truecolor"), .direct),
      (TerminalEnvironment(name: "xterm-kitty", colorTerm: "24bit"), .direct),
      (TerminalEnvironment(name: "xterm-direct"), .direct),
      (TerminalEnvironment(name: "xterm-256color"), .palette),
      (TerminalEnvironment(name: "xterm-256color", colorTerm: "yes"), .palette),
      (
        TerminalEnvironment(name: "screen-256color", colorTerm: "truecolor"),
        .system("screen-256color")
      ),
      (
        TerminalEnvironment(name: "screen-256color", colorTerm: "truecolor", isInsideTmux: true),
        .direct
      ),
      (TerminalEnvironment(name: "linux"), .system("linux")),
    ] as [(TerminalEnvironment, TerminfoChoice)])
  func `the environment chooses the entry`(
    environment: TerminalEnvironment, choice: TerminfoChoice
  ) throws {
    try expect(TerminfoChoice(environment), choice)
  }

  @Test func `terminals that cannot place a cursor are refused`() {
    #expect(throws: TerminalError.unnamedTerminal) {
      try TerminfoChoice(TerminalEnvironment(name: nil))
    }
    #expect(throws: TerminalError.tooSimple) {
      try TerminfoChoice(TerminalEnvironment(name: "dumb"))
    }
  }

  @Test(
    arguments: [
      ("0;15", true), ("15;0", false), ("12;8", false), ("0;default;7", true), ("x", nil),
    ] as [(String, Bool?)])
  func `the background's index hints at light or dark`(hint: String, isLight: Bool?) {
    let environment = TerminalEnvironment(name: "rxvt", colorHint: hint)

    expect(environment.hintsLightBackground, isLight)
  }
}
