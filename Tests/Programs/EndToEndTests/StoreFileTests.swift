import Expectations
import Glibc
import SQLiteKit
import TerminalTestSupport
import TestSupport
import Testing

/// The market file as the program finds it and leaves it.
@Suite(.ownThread) struct StoreFileTests {
  private func hasNothingBeside(_ path: String) -> Bool {
    access(path + "-wal", F_OK) != 0 && access(path + "-shm", F_OK) != 0
  }

  @Test(
    arguments: [
      ["admin", "delete", "2"], ["admin", "delete", "99"], ["admin", "seller", "block", "0"],
      ["sample"],
      ["list"], ["show", "1"], ["export", "-"],
    ])
  func `after a command the market is one file`(_ words: [String]) async throws {
    let program = try await MarketProgram(.rows(3))
    let path = program.path(of: "trial.market")

    _ = try program.run(words + ["--store", path])

    #expect(hasNothingBeside(path))
  }

  @Test func `after the program has ended the market is one file`() async throws {
    let program = try await MarketProgram(.rows(3))
    let path = program.path(of: "trial.market")
    try program.addPhoto("bike.jpg", fixture: "baseline.jpg")
    let session = try program.open()
    try session.wait(forText: "Ware 001")
    #expect(!hasNothingBeside(path))

    session.type("q")
    try expect(session.waitForExit(), .exited(status: 0))
    #expect(hasNothingBeside(path))

    let new = try program.run(
      [
        "new", "--name", "Road bike", "--price", "1000", "--description", "Ridden for a year.",
        "--seller", "Hana", "--photo", program.path(of: "bike.jpg"),
      ], input: "p4ss\n")
    #expect(new.exit == .exited(status: 0) && hasNothingBeside(path))

    try FileContent(of: path).write(to: program.path(of: "copy.market"))
    let list = try program.run("list", "--store", program.path(of: "copy.market"))
    #expect(list.output.contains("Road bike") && hasNothingBeside(path))
  }

  @Test(arguments: [SIGTERM, SIGHUP, SIGINT])
  func `a program that is told to end leaves one file too`(number: Int32) async throws {
    let program = try await MarketProgram(.rows(3))
    let session = try program.open()
    try session.wait(forText: "Ware 001")

    session.terminal.signal(number)
    _ = try session.waitForExit()

    #expect(hasNothingBeside(program.path(of: "trial.market")))
  }

  @Test func `a market is not exported onto itself`() async throws {
    let program = try await MarketProgram(.rows(3))
    let path = program.path(of: "trial.market")

    for task in ["export", "backup"] {
      let run = try program.run(task, path, "--overwrite", "--language", "en")
      expect(run.exit, .exited(status: 1))
      #expect(run.errors.hasSuffix("trial.market is the market itself; name another file\n"))
    }

    try expect(program.run("list").output.split(separator: "\n").count, 3)
  }

  @Test(arguments: [
    "UPDATE product SET id = -9223372036854775808 WHERE id = 3",
    "DROP TABLE block", "ALTER TABLE product RENAME COLUMN stock TO pieces",
  ])
  func `a forged market is told in one sentence with what to do`(script: String) async throws {
    let program = try await MarketProgram(.rows(3))
    let path = program.path(of: "trial.market")
    try SQLiteConnection(opening: path, .init()).execute("PRAGMA foreign_keys = OFF; " + script)

    for (language, sentence) in [
      ("en", "The market file is damaged (invalid content); restore a backup"),
      ("ko", "마켓 파일이 손상되었습니다. 백업으로 복원해 주세요"),
    ] {
      let run = try program.run("list", "--language", language)
      #expect(run.exit == .exited(status: 1) && run.errors == "market: \(path): \(sentence)\n")
    }
    let session = try program.open("--language", "en")
    try session.wait(forText: "is damaged")
    session.type("q")
    try expect(session.waitForExit(), .exited(status: 0))
  }
}
