import Glibc
import TerminalTestSupport

/// The directory in which trials are prepared; what takes long to make is kept there.
struct Workbench {
  private let root: String

  init(directory: String) throws(BenchError) {
    var parents = ""
    for part in directory.split(separator: "/", omittingEmptySubsequences: false) {
      parents += part + "/"
      mkdir(parents, 0o700)
    }
    guard let resolved = realpath(directory, nil) else { throw .cannotWrite(path: directory) }
    defer { free(resolved) }
    root = String(cString: resolved)
  }

  func path(_ name: String) -> String { root + "/" + name }

  var pictureMarket: String { path("market-pictures.db") }

  func directory(_ name: String) throws(BenchError) -> String {
    let path = path(name)
    guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw .cannotWrite(path: path) }
    return path
  }

  /// An empty directory of a new name, for programs that must find nothing from earlier runs.
  func freshDirectory(_ name: String) throws(BenchError) -> String {
    let base = try directory("fresh")
    var template = Array((base + "/" + name + "-XXXXXX").utf8CString)
    guard mkdtemp(&template) != nil else { throw .cannotWrite(path: base) }
    return String(decoding: template.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// A file that is written if it is not there.
  func file(_ name: String, contents: () -> String) throws(BenchError) -> String {
    let path = path(name)
    if access(path, R_OK) != 0 { try write(contents(), to: path) }
    return path
  }

  /// Deletes all folders that were made for one trial.
  func emptyFreshDirectories() { empty(path("fresh")) }

  /// Deletes a folder with all that is in it.
  func empty(_ folder: String) {
    _ = try? PipedRun(["rm", "-rf", folder], environment: environment(home: folder))
  }

  func write(_ text: String, to path: String) throws(BenchError) {
    guard let file = fopen(path, "w") else { throw .cannotWrite(path: path) }
    defer { fclose(file) }
    guard fputs(text, file) >= 0 else { throw .cannotWrite(path: path) }
  }

  /// Runs a program that prepares something.
  func run(_ command: [String], environment: [String: String]) throws {
    let run = try PipedRun(command, environment: environment)
    guard run.exit == .exited(status: 0) else {
      throw BenchError.preparationFailed(command.joined(separator: " ") + ": " + run.errors)
    }
  }

  func environment(home: String) -> [String: String] {
    [
      "PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": home, "LANG": "C.UTF-8",
      "TERM": "xterm-256color", "COLORTERM": "truecolor",
    ]
  }
}
