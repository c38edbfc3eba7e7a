import Expectations
import TerminalTestSupport
import TestSupport
import Testing

/// Messages about the command line, without a screen.
@Suite(.ownThread) struct CommandLineTests {
  @Test(arguments: ["--help", "--version"])
  func `help and version need no terminal`(option: String) async throws {
    let run = try await MarketProgram(nil).run(option, environment: ["TERM": nil])

    expect(run.exit, .exited(status: 0))
    #expect(!run.output.isEmpty && run.errors.isEmpty && !run.output.contains("\u{1b}"))
  }

  @Test(arguments: ["--help", "--version", "doctor"])
  func `what cannot be written is a failure`(word: String) async throws {
    let run = try await MarketProgram(nil).run([word], writingTo: "/dev/full")

    expect(run.exit, .exited(status: 1))
    expect(run.errors, "market: No space left on device\n")
  }

  @Test func `an address of another scheme is told what is spoken`() async throws {
    let run = try await MarketProgram(nil).run(
      "list", "--server", "ftp://market.example", "--language", "en")

    expect(run.exit, .exited(status: 1))
    #expect(run.errors.contains("must begin with http:"))
  }

  @Test func `a file that cannot be written is named as it was given`() async throws {
    let program = try await MarketProgram(.rows(3))
    let path = program.path(of: "none/market.ndjson")

    for command in ["export", "backup"] {
      let run = try program.run(command, path)

      expect(run.exit, .exited(status: 1))
      #expect(run.errors.contains(path))
      #expect(!run.errors.contains(".part"))
    }
  }

  @Test(arguments: [
    "market --store $name", "market list --store=$name", "market import $name --store a.sqlite",
    "market export $name --store a.sqlite", "market backup $name --store a.sqlite",
    "market new --from-file $name", "market new --photo a.jpg --name $name",
    "market data export $name", "market serve --store $name",
    "market-server --store $name", "market-server import $name --store a.sqlite",
  ])
  func `a word that is no UTF-8 is refused, and nothing is made of it`(command: String) async throws
  {
    let program = try await MarketProgram(nil)

    let run = try program.runShell(
      "name=$(printf 'b\\377.sqlite'); LANG=C.UTF-8 timeout 10 \(command) < /dev/null")

    #expect(run.exit == .exited(status: 2) && run.output.isEmpty)
    #expect(run.errors.contains("b\u{FFFD}.sqlite” is not UTF-8; give the file a UTF-8 name"))
    #expect(try program.runShell("ls *.sqlite").output.isEmpty)
  }

  @Test(arguments: [("ko_KR.UTF-8", "엽니다"), ("C.UTF-8", "Serves a market")])
  func `serving speaks the language of the program`(locale: String, word: String) async throws {
    let program = try await MarketProgram(nil)

    let run = try program.run("serve", "--help", environment: ["LANG": locale])

    #expect(run.output.contains(word) && run.output.contains("--listen HOST:PORT"))
  }

  @Test func `the first mistake of the settings is told to a script, which goes on`() async throws {
    let program = try await MarketProgram(.rows(3))
    try program.addFile(
      ".config/market/settings.json",
      """
      {
        "colour": "dark",
        "theme": "purple"
        "language": "en"
      }
      """)

    let run = try program.run("list")

    let path = program.path(of: ".config/market/settings.json")
    expect(
      run.errors.split(separator: "\n"),
      [
        "market: \(path):2: “colour” is not a setting (did you mean colors?)"
          + " (2 more: market doctor)"
      ])
    expect(run.exit, .exited(status: 0))
    expect(run.output.split(separator: "\n").count, 3)
  }

  @Test(arguments: [["--help"], ["--version"], ["completion"], ["man"]])
  func `what needs no settings says nothing of them`(words: [String]) async throws {
    let program = try await MarketProgram(nil)
    try program.addFile(".config/market/settings.json", "{")

    let run = try program.run(words)

    #expect(run.errors == "" && run.exit == .exited(status: 0))
  }

  @Test func `a report lists every mistake of the settings`() async throws {
    let program = try await MarketProgram(nil)
    try program.addFile(".config/market/settings.json", "{ \"colour\": 1,\n\"view\": \"tree\" }")

    let run = try program.run("doctor")

    #expect(run.output.contains(", 2 mistakes"))
    #expect(run.output.contains("“colour” is not a setting"))
    #expect(run.output.contains("Invalid value “tree” for view"))
  }

  @Test func `one mistake is not several`() async throws {
    let program = try await MarketProgram(nil)
    try program.addFile(".config/market/settings.json", "{ \"view\": \"tree\" }")

    let run = try program.run("doctor")

    #expect(run.output.contains(", 1 mistake\n"))
  }

  @Test func `options may stand before the word that starts the server`() async throws {
    let program = try await MarketProgram(nil)

    let run = try program.run("--language", "ko", "serve", "--listen", "nowhere")

    #expect(run.exit == .exited(status: 2) && run.errors.contains("--listen"))
    let other = try program.run("serve", "--language", "ko", "--listen", "nowhere")
    expect(run.errors, other.errors)
  }

  @Test func `the server program has the version of the program`() async throws {
    let program = try await MarketProgram(nil)

    let server = try program.run("serve", "--version")

    #expect(server.exit == .exited(status: 0) && server.errors == "")
    try expect(server.output, program.run("--version").output)
  }

  @Test func `a picture that does not fit is told by why it does not`() async throws {
    let program = try await MarketProgram(nil)
    let path = program.path(of: "market.ndjson")
    try expect(program.run("list").exit, .exited(status: 0))

    let run = try program.run(["export", path], limitingFilesTo: 40)

    expect(run.exit, .exited(status: 1))
    #expect(run.errors.contains("File too large"))
  }

  @Test func `a pipe that cannot be kept to be read again is told by why`() async throws {
    let program = try await MarketProgram(.rows(3))
    let line = #"{"name":"Ware","price":1,"currency":"KRW","stock":1}"# + "\n"

    let run = try program.run(
      ["import", "-", "--strict"], limitingFilesTo: 50,
      input: String(repeating: line, count: 1_100))

    expect(run.exit, .exited(status: 1))
    #expect(run.errors.contains("File too large"))
  }
}
