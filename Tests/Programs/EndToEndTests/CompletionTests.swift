import Expectations
import Glibc
import MarketStrings
import TerminalTestSupport
import TestSupport
import Testing

/// Words that shells complete by what the program prints for them.
@Suite(.ownThread) struct CompletionTests {
  /// Completes lines in bash, as a Tab at their end would; a line of the answer for each.
  private func complete(_ lines: [String], in program: MarketProgram) throws -> [String] {
    let script = """
      eval "$(market completion bash)"
      try() {
        COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
        _market market
        (IFS='|'; echo "${COMPREPLY[*]}")
      }

      """
    let run = try program.runShell(script + lines.map { "try market \($0)\n" }.joined())
    expect(run.errors, "")
    return run.output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  @Test func `bash completes commands, options and their values`() async throws {
    let program = try await MarketProgram(nil)
    try program.addFile(
      ".config/market/settings.json",
      #"{ "servers": { "home": "http://127.0.0.1:1", "work": "http://127.0.0.1:2" } }"#)

    let answers = try complete(
      [
        "ex", "data ''", "list --so", "list --sort ''", "list --sort = price-a", "--theme ''",
        "--server ''", "help exit", "questions ''", "questions --u", "completion ''", "show ''",
        "serve --lis", "--language k",
      ], in: program)

    expect(
      answers.dropLast(),
      [
        "export", "export|import|clear", "--sort", "newest|price-asc|price-desc|discount",
        "price-asc",
        "auto|dark|light|high-contrast|colorblind|plain", "home|work", "exit-status", "delete",
        "--unanswered",
        "bash|zsh|fish", "", "--listen", "ko",
      ])
  }

  @Test func `bash completes files only where files are taken`() async throws {
    let program = try await MarketProgram(nil)
    try program.addFile("my market.sqlite", "")

    let answers = try complete(
      ["--store my", "export my", "new --photo my", "show my", "list --search my"], in: program)

    expect(
      answers.dropLast(), ["my market.sqlite", "my market.sqlite", "my market.sqlite", "", ""])
  }

  @Test(.enabled(if: access("/usr/bin/fish", X_OK) == 0))
  func `fish completes them too`() async throws {
    let program = try await MarketProgram(nil)

    let run = try program.runShell(
      #"fish --no-config -c 'market completion fish | source; complete -C "market list --sort price-a"'"#
    )

    expect(run.output, "price-asc\n")
  }

  @Test(
    .enabled(if: access("/usr/bin/zsh", X_OK) == 0 || access("/bin/zsh", X_OK) == 0),
    arguments: ["market", "market-server"])
  func `zsh reads the script`(name: String) async throws {
    let run = try await MarketProgram(nil).runShell("\(name) completion zsh | zsh -n")

    #expect(run.exit == .exited(status: 0) && run.errors == "")
  }

  @Test(
    .enabled(if: access("/usr/bin/groff", X_OK) == 0), arguments: ["market", "market-server"],
    Language.allCases)
  func `the manual page is without a fault`(name: String, language: Language) async throws {
    let run = try await MarketProgram(nil).runShell(
      "\(name) man --language \(language.rawValue) | groff -ww -man -Tutf8 -Kutf8 -P-cbou")

    #expect(run.errors == "" && run.exit == .exited(status: 0))
    #expect(run.output.contains("--language"))
  }
}
