import Expectations
import Glibc
import TerminalTestSupport
import TestSupport
import Testing

/// Libraries that the programs load when they start.
struct LinkedLibrariesTests {
  @Test func `the program that people run loads no library of PostgreSQL, and the server does`()
    throws
  {
    let program = try needed(by: "market")
    let server = try needed(by: "market-server")

    #expect(!program.contains { $0.hasPrefix("libpq") }, "\(program)")
    #expect(program.contains { $0.hasPrefix("libncursesw") }, "\(program)")
    #expect(server.contains { $0.hasPrefix("libpq") }, "\(server)")
  }

  @Test func `libraries of codes and photos are loaded by their first use alone`() async throws {
    let session = try await MarketProgram(.rows(3)).open()
    try session.wait(forText: "Ware 001")
    session.type("<Down><Down>n")
    try session.wait(forText: "New product")

    let maps = try FileContent(of: "/proc/\(session.terminal.process)/maps").bytes

    let loaded = String(decoding: maps, as: UTF8.self)
    #expect(loaded.contains("libncursesw"))
    expect(["libqrencode", "libheif", "liblcms2"].filter(loaded.contains), [])
    session.terminal.signal(SIGKILL)
  }

  /// The entries `NEEDED` of the dynamic section (System V ABI, "Dynamic Section").
  private func needed(by program: String) throws -> [String] {
    let file = try FileContent(of: ChildProcess.path(of: program)).bytes
    func number(_ offset: Int, _ size: Int) -> Int {
      file[offset..<(offset + size)].reversed().reduce(0) { $0 << 8 | Int($1) }
    }
    let segments = (0..<number(0x38, 2)).map { number(0x20, 8) + $0 * number(0x36, 2) }
    let (load, dynamic) = (1, 2)
    let section = try #require(segments.first { number($0, 4) == dynamic })
    let start = number(section + 8, 8)
    let entries = (0..<(number(section + 32, 8) / 16)).map { index in
      (tag: number(start + index * 16, 8), value: number(start + index * 16 + 8, 8))
    }
    let (neededTag, stringsTag) = (1, 5)
    let address = try #require(entries.first { $0.tag == stringsTag }).value
    let segment = try #require(
      segments.first { segment in
        let begin = number(segment + 16, 8)
        return number(segment, 4) == load
          && (begin..<(begin + number(segment + 32, 8))).contains(address)
      })
    let strings = address - number(segment + 16, 8) + number(segment + 8, 8)
    return entries.filter { $0.tag == neededTag }.map { entry in
      String(decoding: file[(strings + entry.value)...].prefix { $0 != 0 }, as: UTF8.self)
    }
  }
}
