import Expectations
import TerminalTestSupport
import TestSupport
import Testing

/// Reports from a person's menu or command to the operator's queue.
@Suite(.ownThread) struct ReportCommandTests {
  private func admin(_ words: String..., of program: MarketProgram) throws -> PipedRun {
    try program.run(["admin", "reports"] + words + ["--language", "en"])
  }

  @Test func `a product that is reported from its menu is in the operator's queue`() async throws {
    let program = try await MarketProgram(.rows(3))
    let session = try program.open("--language", "en", "--view", "list")
    try session.wait(forText: "Ware 001")

    session.type("x")
    try session.wait(forText: "Report  ")
    session.type("<Esc>")
    try session.wait(for: "the list") { !$0.contains("Report  ") }
    session.type("E")
    try session.wait(forText: "Wrong category")
    session.type("<Down><Enter>")
    try session.wait(forText: "Details (optional)")
    session.type("Wants money first.<Enter>")
    try session.wait(forText: "Reported; only the operators")
    session.type("q")
    _ = try session.waitForExit()
    let queue = try admin(of: program)

    let fields = queue.output.dropLast().split(separator: "\t", omittingEmptySubsequences: false)
    expect(fields[0], "1")
    #expect(fields[1].hasPrefix("product ") && fields[3...4] == ["fraud", "Wants money first."])
    #expect(fields.last == "Ware 001", "\(queue.output)")
  }

  @Test func `an operator deletes, blocks or dismisses what was reported`() async throws {
    let program = try await MarketProgram(.rows(4))
    func report(_ words: String...) throws -> PipedRun {
      try program.run(["report"] + words + ["--language", "en"])
    }

    for id in ["1", "2", "3"] {
      let run = try report(id, "fraud", "--text", "now\u{1b}[31m")
      #expect(run.output == "Reported; only the operators of the market see it\n", "\(run.errors)")
    }
    let again = try report("1", "other")
    let missing = try report("99", "fraud")
    let queue = try admin(of: program)
    let deleted = try admin("delete", "1", of: program)
    let blocked = try admin("block", "2", of: program)
    let dismissed = try admin("dismiss", "3", "9", of: program)

    #expect(again.exit == .exited(status: 1) && again.errors.contains("reported this before"))
    expect(missing.exit, .exited(status: 4))
    #expect(queue.output.split(separator: "\n").count == 3 && !queue.output.contains("\u{1b}"))
    #expect(deleted.output.contains("Deleted product 1"), "\(deleted.output) \(deleted.errors)")
    #expect(blocked.output.contains("Blocked"), "\(blocked.output) \(blocked.errors)")
    expect(dismissed.output, "Closed report 3\n")
    #expect(
      dismissed.exit == .exited(status: 4)
        && dismissed.errors.contains("There is no open report 9"))
    try expect(admin(of: program).output, "")
    try expect(program.run("list").output.split(separator: "\n").count, 3)
  }
}
