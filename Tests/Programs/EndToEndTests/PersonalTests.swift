import Expectations
import TerminalTestSupport
import TestSupport
import Testing

/// What a person keeps, carried to another home by commands.
@Suite(.ownThread) struct PersonalTests {
  private static let list = ["--language", "en", "--view", "list"]

  /// A program whose home has a search for lamps in its history.
  private func searched() async throws -> MarketProgram {
    let program = try await MarketProgram(nil)
    let session = try program.open(words: Self.list)
    try session.wait(forText: "66 products")
    session.type("/lamp<Enter>")
    try session.wait(for: "the finds") { !$0.contains("66 products") }
    session.type("q")
    _ = try session.waitForExit()
    return program
  }

  @Test func `what was searched for here is known there after an export and an import`()
    async throws
  {
    let old = try await searched()
    let export = try old.run("data", "export", old.path(of: "kept.ndjson"), "--language", "en")
    #expect(export.exit == .exited(status: 0) && export.output.contains("Exported "))
    let again = try old.run("data", "export", old.path(of: "kept.ndjson"))
    expect(again.exit, .exited(status: 1))
    let text = String(
      decoding: try FileContent(of: old.path(of: "kept.ndjson")).bytes, as: UTF8.self)
    let new = try await MarketProgram(nil)

    let taken = try new.run(["data", "import", "-"], input: text)
    expect(taken.exit, .exited(status: 0), "\(taken.errors)")

    let session = try new.open(words: Self.list)
    try session.wait(forText: "66 products")
    session.type("/<Up>")
    try session.wait(forText: "lamp")
  }

  @Test func `a damaged file is one sentence and changes nothing`() async throws {
    let program = try await searched()
    let before = try program.run("data", "export", "-").output

    for text in [
      "", "{}", "lamp\n", String(before.dropLast(12)),
      before.replacing("\"lamp\"", with: "{\"base64\":\"AA==\"}"),
      before.replacing("past_search", with: "past_sneeze"),
    ] {
      let run = try program.run(["data", "import", "-", "--language", "en"], input: text)
      expect(run.exit, .exited(status: 1))
      expect(run.errors.split(separator: "\n").count, 1, "\(run.errors)")
    }

    try expect(program.run("data", "export", "-").output, before)
  }

  @Test func `a file from before 1.0 is set aside in one sentence, and the market opens`()
    async throws
  {
    let program = try await searched()
    let path = program.path(of: "data/market/personal.sqlite")
    var file = try FileContent(of: path)
    // The last byte of the version in the header (https://www.sqlite.org/fileformat.html).
    file.bytes[63] = 10
    try file.write(to: path)

    let run = try program.run("data", "export", "-", "--language", "en")

    #expect(run.exit == .exited(status: 0) && !run.output.contains("lamp"))
    #expect(run.errors.contains("market help files"))
    expect(run.errors.split(separator: "\n").count, 1, "\(run.errors)")
    try expect(FileContent(of: path + ".before-1.0").bytes[63], 10)
    let session = try program.open(words: Self.list)
    try session.wait(forText: "2 products")
  }

  @Test func `a clearing is asked for, and leaves nothing`() async throws {
    let program = try await searched()

    let unsure = try program.run("data", "clear", "--language", "en")
    #expect(unsure.exit == .exited(status: 1) && unsure.errors.contains("add --yes"))
    #expect(try program.run("data", "export", "-").output.contains("lamp"))
    let sure = try program.run("data", "clear", "--yes")

    expect(sure.exit, .exited(status: 0))
    #expect(try !program.run("data", "export", "-").output.contains("lamp"))
    let look = try program.runShell("grep session ~/.local/state/market/state")
    #expect(look.exit != .exited(status: 0))
  }
}
