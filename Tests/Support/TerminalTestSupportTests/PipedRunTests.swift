import TerminalTestSupport
import Testing

@Suite struct PipedRunTests {
  @Test func `output, errors and the status are kept apart`() throws {
    let run = try PipedRun(
      ["/bin/sh", "-c", "echo out; echo err >&2; test -t 0 || exit 4"], environment: [:])

    #expect(run.output == "out\n")
    #expect(run.errors == "err\n")
    #expect(run.exit == .exited(status: 4))
  }
}
