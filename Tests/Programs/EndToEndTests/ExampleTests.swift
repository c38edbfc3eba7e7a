import CommandKit
import Expectations
import MarketStrings
import MarketViews
import SafeTextKit
import TerminalTestSupport
import TestSupport
import Testing

@testable import market

/// What the help tells people to type.
@Suite(.ownThread) struct ExampleTests {
  private static let readOnly: Set = [
    "list", "show", "export", "backup", "doctor", "help", "completion", "man",
  ]

  @MainActor private static var lines: [String] {
    let commands = MarketCommands(settings: Settings()).table.commands
    return commands.filter { readOnly.contains($0.name) }.flatMap(\.examples).map(\.line)
  }

  @Test func `every example that changes nothing does what it says`() async throws {
    let program = try await MarketProgram(nil)
    let lines = await Self.lines
    expect(lines.count, 2 * Self.readOnly.count)
    // Programs of others, and what only another shell knows, stand aside.
    let others = "for name in jq man source; do eval \"$name() { cat > /dev/null; }\"; done\n"
    _ = try program.run("list")

    for line in lines {
      let run = try program.runShell(others + line)

      expect(run.exit, .exited(status: 0), "\(line)")
      expect(run.errors, "", "\(line)")
    }
  }

  @Test(arguments: Language.allCases)
  func `every search that is shown finds something in the sample market, in English in both`(
    language: Language
  ) async throws {
    // The English words are in the Korean market as well: people of everywhere sell there.
    let markets = language == .english ? Language.allCases : [language]
    for market in markets {
      let program = try await MarketProgram(nil)
      for search in try await Self.searches(language) {
        let run = try program.run("list", "--language", market.rawValue, "--search", search)

        expect(run.exit, .exited(status: 0), "\(search)")
        #expect(!run.output.isEmpty, "\(search) in the market of \(market)")
      }
    }
  }

  /// The samples that F1 shows, and the searches of the README.
  @MainActor private static func searches(_ language: Language) throws -> [String] {
    let shown = SearchSyntax.allCases.filter { $0 != .scope }.map { $0.sample(language).string }
    let readme = try FileContent(of: "README.md")
    let text = String(decoding: readme.bytes, as: UTF8.self)
    let line = try #require(
      text.firstMatch(of: /One search line finds by all of it: `([^`]+)`[^`]+`([^`]+)`/))
    let list = try #require(text.firstMatch(of: /market list --search '([^']+)'/))
    return language == .english
      ? shown + [String(line.output.1), String(list.output.1)] : shown + [String(line.output.2)]
  }
}
