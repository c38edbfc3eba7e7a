import Expectations
import TerminalTestSupport
import TestSupport
import Testing

/// Text of strangers in what the program says outside its screen, and in its questions.
@Suite(.ownThread) struct HostileInputTests {
  private static let attack = "\u{1b}]0;owned\u{7}\u{1b}[2J\u{9b}31m\r\u{8}\u{202e}x"

  private func expectHarmless(_ text: String) {
    // A line feed is all that may act.
    let acting = text.unicodeScalars.filter { scalar in
      scalar != "\n" && (scalar.value < 0x20 || 0x7F...0x9F ~= scalar.value)
    }
    #expect(acting.isEmpty, "\(text.debugDescription)")
    #expect(Self.deceiving(text).isEmpty)
  }

  /// Characters that turn text around or cannot be seen.
  private static func deceiving(_ text: String) -> [Unicode.Scalar] {
    text.unicodeScalars.filter { scalar in
      switch scalar.value {
      case 0x061C, 0x200B...0x200F, 0x202A...0x202E, 0x2060...0x2069, 0xFEFF: true
      default: false
      }
    }
  }

  @Test func `what an import complains about is harmless`() async throws {
    let folder = try TemporaryFolder()
    let file = folder.path(of: "a\(Self.attack).ndjson")
    let escaped = #"\u001b]0;owned\u0007\u009b31m\u202e"#
    let lines = [
      #"{"name":"x","price":1,"pictures":["\#(escaped)"]}"#, "\(Self.attack)",
      #"{"name":"x","price":1,"currency":"\#(escaped)"}"#,
    ]
    try FileContent(bytes: Array(lines.joined(separator: "\n").utf8)).write(to: file)

    let run = try await MarketProgram().run("import", file)

    expect(run.exit, .exited(status: 1))
    #expect(run.errors.contains("line 1") && run.errors.contains("line 3"))
    expectHarmless(run.errors)
    expectHarmless(run.output)
  }

  @Test(arguments: [["import"], ["export"], ["backup"], ["--view"], ["--"], ["generate"]])
  func `a command line is repeated harmlessly`(words: [String]) async throws {
    let words = words + [attackPath]
    let run = try await MarketProgram().run(words)

    #expect(run.exit != .exited(status: 0))
    expectHarmless(run.errors)
  }

  @Test func `a report for a bug repeats its surroundings harmlessly`() async throws {
    let program = try await MarketProgram(nil)

    let run = try program.run(
      "doctor", "--server", "http://\(Self.attack)",
      environment: ["TERM": "x" + Self.attack, "LANG": Self.attack, "HOME": attackPath])

    expect(run.exit, .exited(status: 0))
    #expect(run.output.contains("owned"))
    expectHarmless(run.output)
    expectHarmless(run.errors)
  }

  @Test func `mistakes of a settings file are told harmlessly`() async throws {
    let program = try await MarketProgram()
    try program.addFile(".config/market/settings.json", "{ \"\(Self.attack)\": 1 }")
    let session = try program.open("--language", "en", persona: .silent)

    try session.wait(forText: "settings.json:1:")

    expect(EscapeAudit.unexpectedSequences(in: session.output), [])
  }

  private var attackPath: String { "/no/such/" + Self.attack }

  @Test func `a question names a product by what can be seen of it`() async throws {
    let name = "Ware 001 \u{202e}gpj\u{2066}\u{200b}\u{feff}x"
    // What a guest sells may be deleted by everybody who knows the password.
    let market = GeneratedMarket(products: [.trial(name: name, seller: "guest")])
    let session = try await MarketProgram(market).open("--view", "list", "--language", "en")
    try session.wait(forText: "Ware 001")

    session.type("D")
    try session.wait(forText: "Password")

    #expect(Self.deceiving(String(decoding: session.output, as: UTF8.self)).isEmpty)
  }
}
