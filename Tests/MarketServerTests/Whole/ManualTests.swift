import MarketServer
import TestSupport
import Testing

/// What the manual tells people to type.
@Suite(.timeLimit(.minutes(1))) struct ManualTests {
  @Test func `the commands by hand do what they say when they are pasted`() throws {
    let folder = try TemporaryFolder()
    let server = try ServerProgram(store: folder.path(of: "market.sqlite"))
    let script = try Self.commands(under: "## By hand")
      .replacing("127.0.0.1:8080", with: "127.0.0.1:\(server.client.port)")

    let shell = try ChildProcess("/bin/sh", arguments: ["-euc", script])
    var lines: [String] = []
    while let line = shell.readLine() { lines.append(line) }

    #expect(shell.wait() == 0)
    let words = [
      "\"totalCount\":1,", "\"price\":39000,", "\"price\":39000,",
      "{\"page\":1,\"items\":[{\"id\":2,", "\"stock\":0,", "\"title\":\"Trail shoes\"",
    ]
    #expect(lines.count == words.count)
    for (line, word) in zip(lines, words) { #expect(line.contains(word)) }
    #expect(server.terminate() == 0)
  }

  /// The shell's commands of a chapter, one after the other.
  private static func commands(under heading: String) throws -> String {
    let text = String(decoding: try FileContent(of: ".github/SERVING.md").bytes, as: UTF8.self)
    let chapter = try #require(text.split(separator: heading + "\n").last)
      .split(separator: "\n## ")[0]
    let pieces = chapter.split(separator: "```", omittingEmptySubsequences: false)
    return pieces.indices.filter { !$0.isMultiple(of: 2) }
      .map { String(pieces[$0].drop { $0 != "\n" }) }.joined(separator: "\n")
  }
}
