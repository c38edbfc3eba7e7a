import Expectations
import Glibc
import TerminalTestSupport
import TestSupport
import Testing

struct PipedRunTests {
  @Test func `output, errors and the status are kept apart`() throws {
    let run = try PipedRun(
      ["/bin/sh", "-c", "echo out; echo err >&2; test -t 0 || exit 4"], environment: [:])

    expect(run.output, "out\n")
    expect(run.errors, "err\n")
    expect(run.exit, .exited(status: 4))
  }

  @Test func `a program that does not end is killed in time, with what it said`() throws {
    #expect {
      try PipedRun(
        ["/bin/sh", "-c", "echo here; exec sleep 1000"], environment: [:],
        timeout: .milliseconds(200))
    } throws: { error in
      guard case .timedOut(_, let said) = error as? TerminalSessionError else { return false }
      return said.first == "here\n"
    }
  }

  @Test func `one whose heirs keep its output open does not hold the test up`() throws {
    #expect(throws: TerminalSessionError.self) {
      try PipedRun(
        ["/bin/sh", "-c", "sleep 5 & exit 0"], environment: [:], timeout: .milliseconds(200))
    }
  }
}
