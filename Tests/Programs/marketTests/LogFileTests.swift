import Expectations
import Glibc
import Posix
import TestSupport
import Testing

@testable import market

final class LogFileTests {
  private let folder: TemporaryFolder
  private var path: String { folder.path(of: "market.log") }

  init() throws {
    folder = try TemporaryFolder()
  }

  private func text(_ path: String) throws -> String {
    String(decoding: try FileContent(of: path).bytes, as: UTF8.self)
  }

  @Test func `lines have their time and are their owner's alone`() throws {
    try FileContent(bytes: Array("earlier\n".utf8)).write(to: path)
    chmod(path, 0o644)
    let log = try LogFile(path, now: { 1_700_000_000 })

    log.write("page: store(damaged), 3 ms")

    var status = stat()
    #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
    try expect(text(path), "earlier\n2023-11-14T22:13:20Z page: store(damaged), 3 ms\n")
  }

  @Test func `foreign text neither acts on a terminal nor adds a line`() throws {
    let log = try LogFile(path, now: { 0 })

    log.write("a\u{1B}]0;owned\u{7}b\nc\u{202E}d" + String(repeating: "x", count: 5_000))

    let written = try text(path)
    #expect(written.hasPrefix("1970-01-01T00:00:00Z a\u{FFFD}]0;owned\u{FFFD}b c"))
    #expect(written.count { $0.isNewline } == 1 && written.last == "\n")
    #expect(written.count < 1_100)
  }

  @Test func `a full file is put aside once, in the place of an older one`() throws {
    let log = try LogFile(path, limit: 60, now: { 0 })

    for number in 1...7 { log.write("line \(number)") }

    let names = Folder.entries(of: folder.path).map(\.name).sorted()
    let lines = try text(path + ".1") + text(path)
    expect(names, ["market.log", "market.log.1"])
    expect(lines.split(separator: "\n").map { $0.suffix(1) }, ["4", "5", "6", "7"])
  }

  @Test func `a link, a pipe and a missing folder are refused, and nothing is touched`() throws {
    try FileContent(bytes: Array("theirs".utf8)).write(to: folder.path(of: "other"))
    symlink(folder.path(of: "other"), path)
    mkfifo(folder.path(of: "pipe"), 0o600)

    for name in ["market.log", "pipe", "none/market.log"] {
      #expect(throws: SystemError.self) { try LogFile(folder.path(of: name)) }
    }

    try expect(text(folder.path(of: "other")), "theirs")
  }
}
