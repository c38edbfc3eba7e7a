import CommandKit
import Glibc
import MarketClient
import MarketModel
import MarketStrings
import MarketViewModels
import MarketViews
import Posix
import SQLiteKit
import SafeTextKit
import StoreCore
import TerminalKit

/// Report of `market doctor`: everything that determines how the program looks here, for a bug report.
///
/// It contains no personal names, no addresses beyond their host, and no secrets.
struct Doctor {
  private let options: MarketOptions
  private let settings: Settings

  /// Maximum milliseconds to wait for the terminal's answer; a later one would reach the shell.
  private static let timeout: Int32 = 2_000

  init(_ options: MarketOptions, _ settings: Settings) {
    self.options = options
    self.settings = settings
  }

  var report: String {
    let lines = Self.program + Self.environment + terminal + files + Self.network
    let width = (lines.map(\.0.count).max() ?? 0) + 2
    return lines.map { name, value in
      name + String(repeating: " ", count: width - name.count) + SafeText(value).string
    }.joined(separator: "\n")
  }

  private typealias Line = (String, String)

  /// First lines of a log: program, system and environment.
  static var surroundings: [String] {
    (program + environment).map { $0 + " " + $1 }
  }

  private static var program: [Line] {
    var system = utsname()
    uname(&system)
    let name = withUnsafeBytes(of: system.release) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
    return [
      ("program", ProgramVersion.own.line), ("build", ProgramVersion.build),
      ("libraries", libraries.joined(separator: ", ")), ("system", "Linux " + name),
    ]
  }

  /// Versions of the libraries that may be linked into the program.
  private static var libraries: [String] {
    [
      "SQLite " + SQLiteConnection.libraryVersion, TerminalScreen.libraryVersion,
      "libsodium " + PasswordHasher.libraryVersion,
      "libseccomp " + SystemCallFilter.libraryVersion,
    ]
  }

  /// File of trusted certificate authorities, and how to get a log of requests.
  private static var network: [Line] {
    [
      ("authorities", CABundle.path() ?? "none found; install ca-certificates"),
      ("requests", "each in a file, without its content: market --log FILE --log-requests"),
    ]
  }

  // MARK: Environment

  private static let variables = [
    "TERM", "TERM_PROGRAM", "TERM_PROGRAM_VERSION", "COLORTERM", "COLORFGBG", "VTE_VERSION",
    "NO_COLOR", "LC_ALL", "LC_CTYPE", "LANG",
  ]
  /// Variables of which only the presence is reported.
  private static let flags = ["TMUX", "STY", "SSH_CONNECTION", "KITTY_WINDOW_ID", "WT_SESSION"]

  private static var environment: [Line] {
    let values = variables.compactMap { name in
      Environment.value(of: name).map { (name, $0) }
    }
    let flags = flags.filter { Environment.value(of: $0) != nil }
    return values + [("also set", flags.isEmpty ? "-" : flags.joined(separator: ", "))]
  }

  // MARK: Terminal

  private var terminal: [Line] {
    let environment = TerminalEnvironment.current()
    // Not standard output, so that the report can be redirected to a file.
    let descriptor = open("/dev/tty", O_RDWR | O_CLOEXEC)
    defer { close(descriptor) }
    do throws(TerminalError) {
      // Its answers would be the keys of another program.
      guard ForegroundJob(descriptor).isInForeground else { throw .inBackground }
      let screen = try TerminalScreen(environment, descriptor: descriptor)
      defer { screen.close() }
      return lines(of: screen, environment)
    } catch {
      return [("terminal", "none (\(error.text(Strings(.english)).string))")]
    }
  }

  private func lines(of screen: TerminalScreen, _ environment: TerminalEnvironment) -> [Line] {
    var facts = TerminalFacts(
      environment: environment, colorDepth: screen.capabilities.colorDepth,
      isUTF8: screen.capabilities.isUTF8, windowCell: screen.cellPixels)
    for reply in screen.queryAndWait(Self.timeout) { facts.didReceive(reply) }
    if let colors = facts.answeredColors { _ = screen.raiseColors(to: colors) }
    let capabilities = screen.capabilities
    facts.colorDepth = capabilities.colorDepth
    let choice = PictureChoice(options.pictures, facts)
    let strings = Strings(.english)
    let method = PictureWords.method(choice.method, strings).string
    let reason = PictureWords.reason(choice.reason, strings).string
    return [
      ("terminal", Self.asked("XTVERSION", facts.version, facts.brand?.rawValue ?? "not known")),
      ("multiplexer", facts.multiplexer?.rawValue ?? "-"),
      ("entry", Self.text(capabilities.entry)),
      (
        "attributes",
        Self.asked("DA1", Self.text(facts.attributes), facts.knowsSixel ? "sixel" : "no sixel")
      ),
      ("kitty", Self.asked("kitty's protocol", facts.knowsKitty ? "OK" : nil, "")),
      ("iTerm2", Self.asked("OSC 1337", facts.knowsInline ? "its cell" : nil, "")),
      (
        "strings",
        Self.asked(
          "OSC between two cursor positions",
          facts.probe.printsStrings.map { $0 ? "printed" : "ignored" },
          facts.probe.printsStrings == true ? "nothing further is asked" : "more is asked")
      ),
      (
        "symbols",
        Self.asked(
          "width of … ★ ●",
          facts.attributes.map { _ in facts.probe.hasWideSymbols ? "two" : "one" },
          facts.probe.hasWideSymbols ? "narrow substitutes" : "as they are")
      ),
      ("window", "\(screen.size.columns) x \(screen.size.rows) cells"),
      (
        "cell",
        "\(Self.text(screen.cellPixels)) by the system, \(Self.text(facts.answeredCell)) asked"
      ),
      ("colours", Self.text(capabilities.colors)),
      (
        "background",
        Self.asked(
          "OSC 11", facts.background.map(Self.text),
          Theme.Ground(isLight: facts.isGroundLight).rawValue)
      ),
      ("pictures", "\(method) (\(reason))"),
      ("wanted", options.pictures.rawValue),
      ("UTF-8", capabilities.isUTF8 ? "yes" : "no"),
      ("widths", widths(on: screen, answers: facts.attributes != nil)),
    ]
  }

  /// Widths in columns that this terminal gives to characters on which terminals differ.
  private func widths(on screen: TerminalScreen, answers: Bool) -> String {
    var widths: [String] = []
    for text in ["한", "가각", "é", "…", "★", "👍", "▛", "🬗"] where answers {
      guard let columns = screen.measure(SafeText(text), Self.timeout) else { break }
      widths.append("\(text)=\(columns)")
    }
    return widths.isEmpty ? "not answered" : widths.joined(separator: " ")
  }

  /// Returns answer, question and decision.
  private static func asked(_ question: String, _ answer: String?, _ decision: String) -> String {
    "\(answer ?? "no answer") (asked: \(question))" + (decision.isEmpty ? "" : ", so: \(decision)")
  }

  private static func text(_ attributes: [Int]?) -> String? {
    attributes.map { $0.map(String.init).joined(separator: ";") }
  }

  private static func text(_ cell: CellPixels?) -> String {
    cell.map { "\($0.width) x \($0.height) pixels" } ?? "nothing"
  }

  private static func text(_ color: RGB) -> String {
    let digits = String(color.hex, radix: 16)
    return "#" + String(repeating: "0", count: 6 - digits.count) + digits
  }

  private static func text(_ entry: TerminalCapabilities.Entry) -> String {
    switch entry {
    case .system: "of this TERM"
    case .own: "the program's own for terminals like xterm"
    case .substitute: "the program's own, since this TERM is not known"
    }
  }

  /// Number of colours, and the source of that knowledge.
  private static func text(_ colors: ColorCapability) -> String {
    let source =
      switch colors.source {
      case .refusal: "NO_COLOR"
      case .entry: "TERM"
      case .environment: "COLORTERM or TERM"
      case .version: "the terminal's version"
      case .capability: "a capability it answered, XTGETTCAP"
      case .background: "a colour it kept, DECRQSS"
      }
    return "\(text(colors.depth)) (by \(source))"
  }

  private static func text(_ depth: ColorDepth) -> String {
    switch depth {
    case .none: "none"
    case .ansi8: "8"
    case .ansi16: "16"
    case .palette256: "256"
    case .direct: "24 bits"
    }
  }

  // MARK: Files

  private var files: [Line] {
    let paths = AppPaths()
    let store = options.storePath ?? paths.defaultStore
    return [
      ("settings", state(of: paths.settings, paths) + mistakeCount)
    ] + mistakes(in: shown(paths.settings, paths)) + [
      ("store", state(of: store, paths)),
      ("server", options.server.map(server) ?? "-"),
    ]
  }

  private var mistakeCount: String {
    switch settings.mistakes.count {
    case 0: ""
    case 1: ", 1 mistake"
    case let count: ", \(count) mistakes"
    }
  }

  private func mistakes(in file: String) -> [Line] {
    SettingsFile(path: file).sentences(about: settings.mistakes, Strings(.english))
      .map { ("", $0.string) }
  }

  /// Path without the home folder, whose name identifies the user.
  private func shown(_ path: String, _ paths: AppPaths) -> String {
    path.hasPrefix(paths.home + "/") ? "~" + path.dropFirst(paths.home.count) : path
  }

  private func state(of path: String, _ paths: AppPaths) -> String {
    var status = stat()
    let shown = shown(path, paths)
    guard stat(path, &status) == 0 else { return shown + " (absent)" }
    let mode = String(status.st_mode & 0o777, radix: 8)
    return shown + " (\(status.st_size) bytes, mode \(mode))"
  }

  /// Scheme, host and port of a server; the rest of an address may be a secret.
  private func server(_ name: String) -> String {
    let text = settings.servers[name] ?? name
    if MarketPath.path(text) != nil { return "a market file" }
    let address = text.contains("://") ? text : "http://" + text
    guard let address = WebAddress(address) else { return "not an address" }
    return "\(address.origin.scheme)://\(address.origin.host):\(address.origin.port)"
  }
}
