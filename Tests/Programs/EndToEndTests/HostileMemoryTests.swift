import HTTPTestSupport
import TerminalTestSupport
import TestSupport
import Testing

/// Memory of the program with hostile servers: little more than with an honest server.
@Suite(
  .ownThread, .enabled(if: SanitizerOptions.environment.isEmpty, "sanitizers keep what is freed"))
struct HostileMemoryTests {
  private static let boundKilobytes = 64 << 10

  /// What a server answers to a request for a page, a detail or a picture, and what shows that the
  /// program has dealt with it.
  struct Attack: CustomTestStringConvertible, Sendable {
    let testDescription: String
    var page: [ServerStep] = [.answer(200, HostileMarket.page([HostileMarket.row(1)]))]
    /// Products with pictures on the server itself, in place of that page.
    var pictureCount = 0
    var detail: [ServerStep] = []
    var picture: [ServerStep] = [.answer(404)]
    var keys: KeyScript = ""
    /// How often a text stands on the screen in the end.
    var end = ("R retry now", 1)
  }

  private static let attacks = [
    Attack(
      testDescription: "a body without end",
      page: [
        .send("HTTP/1.1 200 OK\r\n\r\n{\"pages\":["),
        .sendForEver(String(repeating: " ", count: 99_999)),
      ]),
    Attack(
      testDescription: "eight megabytes of brackets",
      page: [.answer(200, String(repeating: "[", count: 8_000_000))]),
    Attack(
      testDescription: "more values than may be",
      page: HostileMarket.unmeasured("{\"pages\":[" + String(repeating: "1,", count: 3_999_000))),
    Attack(
      testDescription: "headers without end",
      page: [.send("HTTP/1.1 200 OK\r\n"), .sendForEver("X-Header: and on and on\r\n")]),
    Attack(
      testDescription: "one header without end",
      page: [.send("HTTP/1.1 200 OK\r\nX-Header: "), .sendForEver("and on and on")]),
    Attack(
      testDescription: "a name of eight megabytes",
      page: HostileMarket.unmeasured(
        HostileMarket.page([
          HostileMarket.row(1, name: String(repeating: "\u{7}", count: 7_900_000))
        ])),
      end: ("\u{FFFD}\u{FFFD}\u{FFFD}", 1)),
    Attack(
      testDescription: "a thousand rows of huge fields",
      page: HostileMarket.unmeasured(
        HostileMarket.page(
          (1...1_000).map {
            HostileMarket.row($0, name: "Ware \($0)" + String(repeating: "\u{7}", count: 7_500))
          })),
      end: ("Ware 1\u{FFFD}", 1)),
    Attack(
      testDescription: "a text of eight million lines",
      detail: HostileMarket.unmeasured(
        HostileMarket.row(1, description: "First" + String(repeating: "\n", count: 7_900_000))),
      keys: "<Enter>", end: ("First", 1)),
    Attack(
      testDescription: "pictures of twenty megabytes",
      pictureCount: 8, picture: HostileMarket.brokenPicture, keys: "v", end: ("Not loaded", 8)),
  ]

  @Test(arguments: attacks)
  func `an attack costs less than 64 MB`(attack: Attack) async throws {
    try await expectLittleMemory(attack)
  }

  @Test func `a page that inflates without end costs less than 64 MB`() async throws {
    let folder = try TemporaryFolder()
    let bomb = folder.path(of: "bomb")
    let shell = try ChildProcess(
      "/bin/sh", arguments: ["-c", "head -c 500000000 /dev/zero | gzip > \(bomb)"])
    try #require(try shell.wait() == 0)
    let bytes = try FileContent(of: bomb).bytes

    try await expectLittleMemory(
      Attack(
        testDescription: "a bomb",
        page: [.answer(200, bytes: bytes, headers: ["Content-Encoding": "gzip"])]))
  }

  private func expectLittleMemory(_ attack: Attack) async throws {
    let calm = try await peak(with: Attack(testDescription: "none", end: ("Ware", 1)))

    let peak = try await peak(with: attack)

    #expect(peak - calm < Self.boundKilobytes, "\((peak - calm) >> 10) MB")
  }

  /// The most memory that the program had when the attack was over, in kilobytes.
  private func peak(with attack: Attack) async throws -> Int {
    let server = try ScriptedServer { request, _ in
      switch request.path {
      case "/healthChecker": [.answer(200, "\"OK\"")]
      case "/api/products" where attack.pictureCount > 0:
        [.answer(200, HostileMarket.page(attack.pictureCount, at: request.headers["host"]))]
      case "/api/products": attack.page
      case let path where path.hasPrefix("/api/products/"): attack.detail
      default: attack.picture
      }
    }
    let session = try await MarketProgram(nil).open(
      "--server", server.base, "--api", "2023", "--language", "en", "--view", "list",
      size: TerminalSize(columns: 120, rows: 40))
    let (text, count) = attack.end
    if !attack.keys.bytes.isEmpty { try session.wait(forText: "Ware") }
    session.type(attack.keys)
    try session.wait(for: "\(count) of “\(text)”") { screen in
      screen.lines.reduce(0) { $0 + $1.ranges(of: text).count } >= count
    }
    return try #require(
      ProcessInformation(of: session.terminal.process).peakResidentKilobytes)
  }
}

/// What a server of 2023 says when it means harm.
private enum HostileMarket {
  /// Begins as a JPEG file does, and does not say how long it is.
  static let brokenPicture: [ServerStep] = [
    .send("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n"),
    .sendBytes([0xFF, 0xD8, 0xFF] + [UInt8](repeating: 0, count: 19_900_000)), .close,
  ]

  static func page(_ count: Int, at host: String?) -> String {
    page((1...count).map { row($0, picture: "http://\(host ?? "")/\($0).jpg") })
  }

  static func page(_ rows: [String]) -> String {
    "{\"pageNo\":1,\"hasNext\":false,\"totalCount\":9,\"pages\":[\(rows.joined(separator: ","))]}"
  }

  static func row(
    _ id: Int, name: String = "Ware", description: String = "", picture: String = ""
  ) -> String {
    """
    {"id":\(id),"vendor_id":1,"vendorName":"a","name":"\(name)","description":"\(description)",\
    "thumbnail":"\(picture)","currency":"KRW","price":10.0,"bargain_price":10.0,\
    "discounted_price":0.0,"stock":1,"created_at":"2022-11-10T00:00:00",\
    "issued_at":"2022-11-10T00:00:00"}
    """
  }

  /// An answer that does not say how long it is.
  static func unmeasured(_ body: String) -> [ServerStep] {
    [.send("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n" + body), .close]
  }
}
