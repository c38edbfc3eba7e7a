import CommandKit
import TerminalTestSupport
import Testing

@testable import market

/// What the help tells people to type.
@Suite struct ExampleTests {
  private static let readOnly: Set = [
    "list", "show", "export", "backup", "doctor", "help", "completion", "manual",
  ]

  @MainActor private static var lines: [String] {
    let commands = MarketCommands(settings: Settings()).table.commands
    return commands.filter { readOnly.contains($0.name) }.flatMap(\.examples).map(\.line)
  }

  @Test func `every example that changes nothing does what it says`() async throws {
    let program = try await MarketProgram(nil)
    let lines = await Self.lines
    #expect(lines.count == 2 * Self.readOnly.count)
    // Programs of others, and what only another shell knows, stand aside.
    let others = "for name in jq man source; do eval \"$name() { cat > /dev/null; }\"; done\n"
    _ = try program.run("list")

    for line in lines {
      let run = try program.runShell(others + line)

      #expect(run.exit == .exited(status: 0), "\(line)")
      #expect(run.errors == "", "\(line)")
    }
  }
}
