import Glibc
import MarketStrings
import MarketViews

/// The server program, which `market serve` turns into.
enum ServerProgram {
  /// Replaces this process by `market-server`, found beside the running program or in
  /// `../libexec/market/`.
  ///
  /// - Parameters:
  ///   - words: its command line without its name.
  ///   - strings: the language of what is said where it is not there.
  ///   - line: a line for its standard input instead of this one's; nil is none.
  static func become(
    _ words: [String], _ strings: Strings, reading line: String? = nil
  ) -> Never {
    if let line { giveInput(line) }
    for path in candidates {
      var arguments = ([path] + words).map { strdup($0) } + [nil]
      execv(path, &arguments)
    }
    Console.fail(strings[.serverProgramMissing], status: 1)
  }

  /// Puts a pipe with a line in the place of standard input; a short one fits whole.
  private static func giveInput(_ line: String) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return }
    let bytes = Array((line + "\n").utf8)
    _ = write(ends[1], bytes, bytes.count)
    dup2(ends[0], STDIN_FILENO)
    for end in ends { close(end) }
  }

  private static var candidates: [String] {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/exe", &buffer, buffer.count - 1)
    guard count > 0 else { return [] }
    let running = String(
      decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let folder = running.split(separator: "/").dropLast().joined(separator: "/")
    return ["/\(folder)/market-server", "/\(folder)/../libexec/market/market-server"]
  }
}
