import Expectations
import Glibc
import TestSupport
import Testing

/// Waits for programs beside the tests, none of which is without end.
struct ChildProcessTests {
  @Test func `lines come one by one, the last without a line feed as well`() throws {
    let program = try ChildProcess("/bin/sh", arguments: ["-c", "echo one; echo; printf three"])

    try expect(program.readLine(), "one")
    try expect(program.readLine(), "")
    try expect(program.readLine(), "three")
    try expect(program.readLine(), nil)
    try expect(program.wait(), 0)
  }

  @Test func `a pipe that says nothing is waited for only so long`() throws {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    defer { for end in ends { close(end) } }
    expect(write(ends[1], "half", 4), 4)
    var lines = LinesOfPipe(from: ends[0])

    let error = #expect(throws: UnexpectedError.self) {
      try lines.next(within: .milliseconds(50))
    }

    expect(error?.description.contains("“half”"), true)
  }

  @Test func `a program that runs on has no end yet, and its end is told as often as one asks`()
    throws
  {
    let child = try ChildProcess("/bin/sh", arguments: ["-c", "exec sleep 1000"])
    #expect(child.program.end(within: .milliseconds(50)) == nil)

    child.kill()

    try expect(child.wait(), nil)
    try expect(child.terminate(), nil)
  }

  @Test(arguments: ["SigBlk", "SigIgn"])
  func `a program that tests start blocks and ignores no signals`(_ line: String) throws {
    let program = try ChildProcess("/bin/sh", arguments: ["-c", "grep \(line) /proc/self/status"])

    try expect(program.readLine()?.split(separator: "\t").last, "0000000000000000")
  }

  @Test func `a pipe without a reader is an error to its writer, not the end of all tests`() throws
  {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    close(ends[0])

    let count = write(ends[1], "x", 1)

    expect([count, Int(errno)], [-1, Int(EPIPE)])
    close(ends[1])
  }
}
