import TerminalTestSupport
import TestSupport
import Testing

/// What the program says of its words, for whoever has no screen.
@Suite struct CommandLineTests {
  @Test(arguments: ["--help", "--version"])
  func `help and version need no terminal`(option: String) async throws {
    let run = try await MarketProgram(nil).run(option, environment: ["TERM": nil])

    #expect(run.exit == .exited(status: 0))
    #expect(!run.output.isEmpty && run.errors.isEmpty && !run.output.contains("\u{1b}"))
  }

  @Test(arguments: ["--help", "--version", "doctor"])
  func `what cannot be written is a failure`(word: String) async throws {
    let run = try await MarketProgram(nil).run([word], writingTo: "/dev/full")

    #expect(run.exit == .exited(status: 1))
    #expect(run.errors == "market: No space left on device\n")
  }

  @Test func `an unknown option is named`() async throws {
    let run = try await MarketProgram(nil).run("--no-such-option")

    #expect(run.exit != .exited(status: 0))
    #expect(run.errors.contains("--no-such-option"))
  }

  @Test func `an address of another scheme is told what is spoken`() async throws {
    let run = try await MarketProgram(nil).run(
      "list", "--server", "ftp://market.example", "--language", "en")

    #expect(run.exit == .exited(status: 1))
    #expect(run.errors.contains("by http and https alone"))
  }

  @Test func `a file that cannot be written is named as it was given`() async throws {
    let program = try await MarketProgram(.rows(3))
    let path = program.path(of: "none/market.ndjson")

    for command in ["export", "backup"] {
      let run = try program.run(command, path)

      #expect(run.exit == .exited(status: 1))
      #expect(run.errors.contains(path))
      #expect(!run.errors.contains(".part"))
    }
  }

  @Test(arguments: [("ko_KR.UTF-8", "엽니다"), ("C.UTF-8", "Serves a market")])
  func `serving speaks the language of the program`(locale: String, word: String) async throws {
    let program = try await MarketProgram(nil)

    let run = try program.run("serve", "--help", environment: ["LANG": locale])

    #expect(run.output.contains(word) && run.output.contains("--listen HOST:PORT"))
  }
}
