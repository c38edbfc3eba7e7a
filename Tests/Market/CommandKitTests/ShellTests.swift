import CommandKit
import Expectations
import Testing

struct ShellTests {
  @Test(arguments: Shell.allCases)
  func `a script is about one program, which it asks`(shell: Shell) throws {
    let script = shell.script(for: "market-server")

    let calls = script.split(separator: "\n").filter { $0.contains(CompletionProtocol.command) }
    expect(calls.count, 1)
    #expect(script.contains("market-server") && script.contains("_market_server"))
    #expect(script.contains(CompletionProtocol.files))
    for position in ["NAME", "PROGRAM", "COMMAND", "FILES"] { #expect(!script.contains(position)) }
  }
}
