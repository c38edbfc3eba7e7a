import Glibc
import TerminalTestSupport
import TestSupport

/// The program as it was built with these tests, with a home folder of its own.
final class MarketProgram: Sendable {
  private let home: TemporaryFolder
  /// A market of trial products; the program's own default store otherwise.
  private let store: String?

  /// Prepares a home with a store of these products, or without any store for a first start.
  init(_ market: GeneratedMarket? = .rows(45)) async throws {
    home = try TemporaryFolder()
    store = market == nil ? nil : home.path(of: "trial.market")
    if let market, let store { try await market.write(to: store) }
  }

  /// Starts it in a terminal.
  func open(
    _ arguments: String..., size: TerminalSize = .standard, environment: [String: String?] = [:],
    persona: TerminalPersona = .dark
  ) throws -> TerminalSession {
    try open(words: arguments, size: size, environment: environment, persona: persona)
  }

  func open(
    words: [String], size: TerminalSize = .standard, environment: [String: String?] = [:],
    persona: TerminalPersona = .dark
  ) throws -> TerminalSession {
    try TerminalSession(
      command(words), environment: variables(environment), size: size, persona: persona,
      holding: self)
  }

  /// Starts it by a shell with job control.
  func openInShell(
    _ arguments: String..., size: TerminalSize = .standard, environment: [String: String?] = [:],
    persona: TerminalPersona = .dark
  ) throws -> TerminalSession {
    let changes = environment.merging(["PS1": "shell$ "]) { $1 }
    let session = try TerminalSession(
      ["bash", "--norc", "--noprofile", "-i"], environment: variables(changes), size: size,
      persona: persona, holding: self)
    try session.wait(forText: "shell$")
    session.type(KeyScript(command(arguments).joined(separator: " ") + "<Enter>"))
    return session
  }

  /// Starts it in a tmux of its own.
  func openInTmux(
    allowingPassthrough isAllowed: Bool, size: TerminalSize, persona: TerminalPersona
  ) throws -> TerminalSession {
    let settings = home.path(of: "tmux.conf")
    let text = """
      set -g allow-passthrough \(isAllowed ? "on" : "off")
      set -g default-terminal tmux-256color
      set -ga terminal-overrides ",*:Tc"

      """
    try FileContent(bytes: Array(text.utf8)).write(to: settings)
    // tmux may drop what the last program of a session wrote, so the shell stays until a line comes.
    let shell = ["sh", "-c", "\"$@\"; echo the program has ended; read -r line", "sh"]
    let words =
      ["tmux", "-S", home.path(of: "tmux"), "-f", settings, "new-session"] + shell + command([])
    return try TerminalSession(
      words, environment: variables([:]), size: size, persona: persona, holding: self)
  }

  /// Starts it in a terminal that says it has another size than it has.
  func open(claiming size: TerminalSize) throws -> TerminalSession {
    let claim = "stty cols \(size.columns) rows \(size.rows); exec \"$@\""
    return try TerminalSession(
      ["sh", "-c", claim, "sh"] + command(["--view", "list"]), environment: variables([:]),
      holding: self)
  }

  /// Runs it without a terminal.
  func run(_ arguments: String..., environment: [String: String?] = [:]) throws -> PipedRun {
    try run(arguments, environment: environment)
  }

  func run(
    _ arguments: [String], environment: [String: String?] = [:], input: String = ""
  ) throws -> PipedRun {
    try PipedRun(command(arguments), environment: variables(environment), input: input)
  }

  /// Runs it with a file for its output.
  func run(_ arguments: [String], writingTo path: String) throws -> PipedRun {
    let words = ["sh", "-c", "exec \"$@\" > \(path)", "sh"] + command(arguments)
    return try PipedRun(words, environment: variables([:]))
  }

  /// Runs it where no file may grow beyond some kilobytes.
  func run(
    _ arguments: [String], limitingFilesTo kilobytes: Int, input: String = ""
  ) throws -> PipedRun {
    let words = ["bash", "-c", "ulimit -f \(kilobytes) && exec \"$@\"", "bash"]
    return try PipedRun(words + command(arguments), environment: variables([:]), input: input)
  }

  /// Runs a script of bash in the home folder, where both programs are found by their names.
  func runShell(_ script: String) throws -> PipedRun {
    let folder = Self.path.dropLast("/market".count)
    let start = "set -o pipefail; cd; PATH=\(folder):$PATH\n"
    return try PipedRun(["bash", "-c", start + script], environment: variables([:]))
  }

  /// The path of a file in the home folder.
  func path(of name: String) -> String { home.path(of: name) }

  /// Puts a picture of the fixtures into the home folder.
  func addPhoto(_ name: String, fixture: String) throws {
    let fixtures = #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
    try FileContent(of: "/\(fixtures)/Fixtures/Pictures/\(fixture)").write(to: path(of: name))
  }

  /// Puts a file that may be run into a folder below the home folder.
  func addFile(_ name: String, _ text: String) throws {
    var folder = home.path
    for part in name.split(separator: "/").dropLast() {
      folder += "/" + part
      mkdir(folder, 0o700)
    }
    try FileContent(bytes: Array(text.utf8)).write(to: path(of: name))
    chmod(path(of: name), 0o700)
  }

  /// All files that the program and its tests have left in the home folder.
  func files() throws -> [FileContent] {
    try Self.paths(in: home.path).map { try FileContent(of: $0) }
  }

  /// The home folder and all folders in it.
  func folders() -> [String] { Self.folders(from: home.path) }

  private static func folders(from path: String) -> [String] {
    entries(of: path).map { [path] + $0.flatMap { folders(from: $0) } } ?? []
  }

  private static func paths(in path: String) -> [String] {
    entries(of: path)?.flatMap { paths(in: $0) } ?? [path]
  }

  /// The paths of what a folder holds; nil for a file.
  private static func entries(of folder: String) -> [String]? {
    guard let entries = opendir(folder) else { return nil }
    defer { closedir(entries) }
    var paths: [String] = []
    while let entry = readdir(entries) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { paths.append(folder + "/" + name) }
    }
    return paths
  }

  private func command(_ arguments: [String]) -> [String] {
    [Self.path] + (store.map { ["--store", $0] } ?? []) + arguments
  }

  private func variables(_ changes: [String: String?]) -> [String: String] {
    var variables: [String: String?] = [
      "PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": home.path, "LANG": "C.UTF-8",
      "TERM": "xterm-256color", "COLORTERM": "truecolor", "XDG_DATA_HOME": home.path(of: "data"),
      // The runtime would ask in the terminal what to do with a crash, and wait.
      "SWIFT_BACKTRACE": "enable=no",
    ]
    variables.merge(SanitizerOptions.environment.mapValues(Optional.some)) { $1 }
    variables.merge(changes) { _, change in change }
    return variables.compactMapValues { $0 }
  }

  /// Beside the test bundle.
  static let path: String = {
    let bundle = CommandLine.arguments[0]
    return bundle[..<(bundle.lastIndex(of: "/") ?? bundle.startIndex)] + "/market"
  }()
}
