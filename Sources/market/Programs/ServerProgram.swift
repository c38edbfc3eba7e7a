import Glibc
import MarketStrings
import MarketViews

/// The server program, which `market serve` turns into.
enum ServerProgram {
  /// Replaces this process by `market-server`, found beside the running program or in
  /// `../libexec/market/`.
  static func become(_ words: [String], _ strings: Strings) -> Never {
    for path in candidates {
      var arguments = ([path] + words).map { strdup($0) } + [nil]
      execv(path, &arguments)
    }
    Console.fail(strings[.serverProgramMissing], status: 1)
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
