import CommandKit
import Glibc
import MarketStrings
import MarketViews
import Posix
import StoreCore

/// Server program, which `market serve` executes in its place.
nonisolated enum ServerProgram {
  /// Replaces this process by `market-server`, found beside the running program or in
  /// `../libexec/market/`.
  ///
  /// - Parameters:
  ///   - words: arguments of the server program.
  ///   - strings: texts of the error if it is not found.
  ///   - line: line for its standard input; nil passes on this process's.
  static func become(
    _ words: [String], _ strings: Strings, reading line: String? = nil
  ) -> Never {
    if let line { giveInput(line) }
    let words = StoreArguments.hidingPassword(in: words)
    for path in candidates {
      var arguments = ([path] + words).map { strdup($0) } + [nil]
      execv(path, &arguments)
    }
    Console.fail(strings[.serverProgramMissing], status: 1)
  }

  /// Replaces standard input by a pipe with a line, which must fit into its buffer.
  private static func giveInput(_ line: String) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return }
    try? FileDescriptorIO.writeAll(Array((line + "\n").utf8), to: ends[1])
    dup2(ends[0], STDIN_FILENO)
    for end in ends { close(end) }
  }

  /// Path of the program; nil if it is not installed.
  static var path: String? { candidates.first { access($0, X_OK) == 0 } }

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

/// Arguments that tell the server program its store.
nonisolated enum StoreArguments {
  private static let leave = "--insecure-password-in-arguments"

  /// Moves a database address with a password into an unnamed file, which no process list shows; only
  /// if the password was permitted in this program's arguments.
  ///
  /// - Parameter words: arguments.
  /// - Returns: the arguments with the file; unchanged without such an address.
  static func hidingPassword(in words: [String]) -> [String] {
    guard words.contains(leave) else { return words }
    var hidden: [String] = []
    var rest = words[...]
    while let word = rest.popFirst() {
      let isNamed = word == "--store" && !rest.isEmpty
      let address = isNamed ? rest.popFirst() : value(of: word)
      if let address, StoreLocation(address).holdsPassword, let descriptor = file(holding: address)
      {
        hidden += ["--store-file", "/proc/self/fd/\(descriptor)"]
      } else if isNamed, let address {
        hidden += [word, address]
      } else {
        hidden.append(word)
      }
    }
    return hidden
  }

  private static func value(of word: String) -> String? {
    let name = "--store="
    return word.hasPrefix(name) ? String(word.dropFirst(name.count)) : nil
  }

  /// Unnamed file in memory, inherited by the executed program (shm_overview(7)); nil if it cannot be
  /// made.
  private static func file(holding text: String) -> Int32? {
    var path = Array("/dev/shm/market-XXXXXX".utf8CString)
    let descriptor = mkstemp(&path)
    guard descriptor >= 0 else { return nil }
    unlink(path)
    guard (try? FileDescriptorIO.writeAll(Array(text.utf8), to: descriptor)) != nil else {
      close(descriptor)
      return nil
    }
    return descriptor
  }
}
