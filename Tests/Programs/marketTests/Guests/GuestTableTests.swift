import CommandKit
import Expectations
import MarketModel
import MarketStrings
import SafeTextKit
import Testing

@testable import market

/// What of the command line is for guests.
struct GuestTableTests {
  private static let whole = MarketCommands(settings: Settings()).table
  private static let table = whole.forGuests(defaults: MarketOptions())

  @Test func `guests have these commands and no other`() {
    let rights = Self.table.commands.map { ($0.name, $0.guestPermission) }

    expect(rights.filter { $0.1 == .looking }.map(\.0), ["list", "show", "questions", "help"])
    expect(
      rights.filter { $0.1 == .withKey }.map(\.0),
      ["ask", "questions delete", "answer", "report", "new", "edit", "upload-photo"])
  }

  @Test(arguments: [Language.english, .korean])
  func `a guest is told of the commands that the table gives it`(_ language: Language) {
    let all = GuestProgram.names(of: Self.table.commands, toGuestsWithKey: true)
    let looking = GuestProgram.names(of: Self.table.commands, toGuestsWithKey: false)

    expect(all, Self.table.commands.map(\.name))
    expect(looking, ["list", "show", "questions", "help"])
    let sentence = GuestError.refused(others: all).text(Strings(language)).string
    #expect(sentence.contains(all.joined(separator: ", ")))
  }

  @Test func `guests have these options and no other`() {
    let options = Set(Self.table.options.map(\.name))

    expect(
      options,
      [
        "--search", "--sort", "--filter", "--limit", "--json", "--photo", "--name", "--price",
        "--category", "--condition", "--currency", "--discount", "--stock", "--description",
        "--place", "--reserved", "--not-reserved", "--questions-closed", "--questions-open",
        "--sold", "--from-file", "--seller", "--again", "--yes",
        "--offer", "--question", "--text", "--reserve", "--unanswered", "--mine", "--help",
        "--language", "--version",
      ])
  }

  @Test(arguments: [Language.english, .korean])
  func `the help of guests has no empty part, and names no manual`(language: Language) throws {
    let page = HelpPage(Self.table, Strings(language))

    let texts = try [[], ["list"], ["help"]].map { try page.text(on: $0) }

    for text in texts {
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      #expect(!text.contains("man market"))
      // The first lines say what it is about; every other one at the margin is a heading.
      let parts = lines.drop { !$0.isEmpty }
      for (title, next) in zip(parts, parts.dropFirst())
      where !title.isEmpty && !title.hasPrefix(" ") {
        #expect(next.hasPrefix(" "), "\(text)")
      }
    }
  }

  @Test func `every command of the program is for guests, or one of these`() {
    let guests = Set(Self.table.commands.map(\.name))

    expect(
      Set(Self.whole.commands.map(\.name)).subtracting(guests),
      [
        "", "alerts", "delete", "identity", "identity import", "data export", "data import",
        "data clear", "serve", "guest", "guest-key", "sample", "generate", "doctor", "export",
        "import", "backup", "admin seller block", "admin seller unblock", "admin delete",
        "admin seller set", "completion",
        "man", "open", "admin pictures move", "admin password", "admin questions",
        "admin questions delete", "admin reports", "admin reports delete", "admin reports block",
        "admin reports dismiss",
      ])
  }

  @Test(arguments: [
    ["list", "--store", "/etc/passwd"], ["list", "--server", "http://192.0.2.1"],
    ["list", "--log", "/tmp/x"], ["list", "--follow"], ["list", "--save-as", "x"],
    ["new", "--template", "x"], ["serve"], ["export", "x"], ["alerts", "--on-alert"], ["doctor"],
    ["guest", "--store", "x"], ["completion", "bash"], ["sh", "-c", "id"],
    ["delete", "1", "--yes"], ["questions", "--server", "http://192.0.2.1"],
    ["admin", "questions"], ["admin", "reports"],
  ])
  func `anything else is not understood`(words: [String]) {
    #expect(throws: CommandLineError.self) { try Self.table.parse(words) }
  }
}
