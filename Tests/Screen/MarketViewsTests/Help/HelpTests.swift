import Expectations
import MarketModel
import MarketStrings
import MarketViewModels
import MarketViews
import SafeTextKit
import SellingTestSupport
import TerminalKit
import TestSupport
import Testing

struct HelpTests {
  private func stage() async throws -> Stage {
    let stage = Stage(sells: true)
    try await stage.show(Product.samples([2, 1]))
    stage.press("?")
    return stage
  }

  /// The rows that stand inside of the help's box, without the blanks around them.
  private func inside(_ lines: [String]) -> [String] {
    lines.compactMap { line in
      let parts = line.split(separator: "│", omittingEmptySubsequences: false)
      guard parts.count >= 3 else { return nil }
      return parts[1].split(separator: " ").joined(separator: " ")
    }
  }

  @Test func `keys stand under headings, in two columns where the window is wide`() async throws {
    let stage = try await stage()

    let narrow = inside(stage.lines(60, 80, .english))
    let wide = inside(stage.lines(120, 80, .english))

    let headings = ["Browse", "Sell", "View", "Move", "Mouse", "Program"]
    expect(narrow.filter(headings.contains), headings)
    #expect(narrow.contains("↵ Open") && narrow.contains("0-9 Repeat the next move"))
    #expect(wide[2].hasPrefix("Browse ") && wide.contains { $0.hasSuffix(" Move") })
    #expect(wide.count < narrow.count * 2 / 3)
  }

  @Test func `what the program and the terminal do everywhere is told as well`() async throws {
    let text = inside(try await stage().lines(60, 80, .english))

    for line in [
      "^L Redraw the screen", "^Z Suspend (fg resumes)", "Shift-drag Select text to copy",
      "g Top", "End G Bottom",
    ] {
      #expect(text.contains { $0.hasSuffix(line) }, "\(line)")
    }
  }

  @Test func `the help of a text tells its editing keys, but for those that do something else`()
    async throws
  {
    let line = try await SellingScreen.line.stage()
    let text = try await SellingScreen.text.stage()
    let secret = try await SellingScreen.secret.stage()

    let helps = [line, text, secret].map { stage in
      stage.press(.function(1))
      return inside(stage.lines(60, 60, .english))
    }

    #expect(helps[0].contains("^_ Undo") && helps[0].contains("End ^E ^End End of the line"))
    #expect(helps[1].contains("^_ Undo") && helps[1].contains("^Home Start of the text"))
    #expect(!helps[1].contains { $0.contains("^E ^End") })
    #expect(helps[1].contains("Home ^A Start of the line"))
    #expect(helps[1].contains("End End of the line"))
    expect(helps[1].count { $0.contains("^Home") }, 1)
    #expect(helps[2].contains("^U ^W Delete all") && !helps[2].contains("^_ Undo"))
  }

  @Test func `what is looked for is found in the words and the keys, and Enter runs it`()
    async throws
  {
    let stage = try await stage()

    for character in "정렬" { stage.press(KeyPress(character)) }
    let found = inside(stage.lines(80, 40)).filter { $0.hasPrefix("▌") }
    stage.press(.enter)

    expect(found, ["▌ o 정렬"])
    #expect(stage.top is MenuModel)
  }

  @Test(arguments: [("SÉARCH", "▌ / Search"), ("ｓｅａｒｃｈ", "▌ / Search")])
  func `the help finds words however their letters are written`(typed: String, row: String)
    async throws
  {
    let stage = try await stage()

    for character in typed { stage.press(KeyPress(character)) }

    #expect(inside(stage.lines(80, 40, .english)).contains(row))
  }

  @Test(arguments: [80, 120])
  func `a click runs what it is on, one on a heading nothing, one beside the page leaves it`(
    width: Int
  ) async throws {
    let stage = try await stage()
    let lines = stage.lines(width, 40, .english)
    let heading = try #require(lines.firstIndex { $0.contains("  Browse ") })
    let search = try #require(lines.firstIndex { $0.contains(" Search ") && $0.contains(" / ") })

    stage.click(lines[heading].columns(before: "Browse"), heading, columns: width, rows: 40)
    #expect(stage.top is HelpModel)
    stage.click(lines[search].columns(before: "Search"), search, columns: width, rows: 40)
    #expect(stage.top is SearchModel)
    stage.press(.escape, "?")
    stage.click(0, 20, columns: width, rows: 40)

    #expect(stage.top === stage.browser)
  }

  @Test func `a click in the right column runs what is there`() async throws {
    let stage = try await stage()
    let lines = stage.lines(120, 48, .english)
    let row = try #require(lines.firstIndex { $0.contains("Quit") })

    stage.click(lines[row].columns(before: "Quit"), row, columns: 120, rows: 48)

    #expect(stage.navigator.program.isQuitting)
  }
}
