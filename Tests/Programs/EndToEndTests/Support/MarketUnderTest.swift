import HTTPTestSupport
import TerminalTestSupport
import TestSupport
import Testing

/// The kinds of markets on which everything must work the same.
enum MarketKind: CaseIterable, Sendable {
  case local
  case server2023
  /// A server of 2023 that knows nothing of our additions.
  case plain2023
  case server2022
  case server2021

  static let servers = allCases.filter { $0 != .local }
  /// The languages of servers that are not ours.
  static let foreign = [MarketKind.plain2023, .server2022, .server2021]
  /// Those on which a product may get other photos.
  static let changingPhotos = allCases.filter { $0 != .plain2023 }

  /// Whether a seller has a name here.
  var knowsSellers: Bool { self != .server2021 && self != .plain2023 }

  /// The generation that the program is told to speak; nil where there is no server.
  var generation: String? {
    switch self {
    case .local: nil
    case .server2023, .plain2023: "2023"
    case .server2022: "2022"
    case .server2021: "2021"
    }
  }
}

/// A market of some trial products, and the program opened on it with one home folder.
final class MarketUnderTest {
  let kind: MarketKind
  let program: MarketProgram
  /// Nil for the local market.
  let server: TrialServer?
  private let proxy: FaultyProxy?
  /// Looks at the market with a home of its own, for a cache would show what was.
  private let onlooker: MarketProgram

  /// - Parameters:
  ///   - kind: where the products are.
  ///   - isForeign: whether a server of whichever generation seems not to know our additions.
  ///   - fault: what is done to requests on their way to a server; nil for a server without harm.
  /// - Throws: where the server or the proxy does not start.
  init(
    _ kind: MarketKind, isForeign: Bool = false,
    fault: (@Sendable (ReceivedRequest, Int) -> ProxyFault?)? = nil
  ) async throws {
    self.kind = kind
    let trial = GeneratedMarket.rows(15)
    program = try await MarketProgram(kind == .local ? trial : nil)
    onlooker = kind == .local ? program : try await MarketProgram(nil)
    server = kind == .local ? nil : try await TrialServer(trial)
    let port = server?.portNumber
    let isPlain = kind == .plain2023 || isForeign
    proxy =
      if let port, fault != nil || isPlain {
        try FaultyProxy(before: port, hidingAdditions: isPlain, fault: fault ?? { _, _ in nil })
      } else {
        nil
      }
  }

  /// Opens the program in English, as a list whose rows can be counted.
  func open(
    size: TerminalSize = .standard, asksAlways: Bool = true, waitingFor text: String = "Ware 001"
  ) throws -> KeyboardSeller {
    try open(program, size: size, asksAlways: asksAlways, waitingFor: text)
  }

  /// Does something from a shell at the market itself, past all faults.
  func run(_ arguments: [String], password: String) throws -> PipedRun {
    let address = try #require(server).address
    return try program.run(
      arguments + ["--server", address, "--language", "en"], input: password + "\n")
  }

  private func open(
    _ program: MarketProgram, size: TerminalSize, asksAlways: Bool = true,
    waitingFor text: String = "Ware 001"
  ) throws -> KeyboardSeller {
    let words =
      ["--language", "en", "--view", "list"] + (asksAlways ? ["--no-password-cache"] : [])
    let address = proxy?.address ?? server?.address
    let server = address.map { ["--server", $0] } ?? []
    let api = kind.generation.map { ["--api", $0] } ?? []
    let session = try program.open(words: words + server + api, size: size)
    try session.wait(forText: text)
    return KeyboardSeller(session: session, program: program, kind: kind)
  }

  /// How many products of this name stand on the market, as another person sees it.
  ///
  /// `text` is awaited, so that no half-drawn screen is counted: the name where there is one at least.
  func count(of name: String, waitingFor text: String) throws -> Int {
    let other = try open(onlooker, size: .standard, waitingFor: text)
    defer { other.session.type("q") }
    return other.session.screen.lines.count { $0.contains(name) }
  }
}
