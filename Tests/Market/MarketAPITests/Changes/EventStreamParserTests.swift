import Expectations
import Testing

@testable import MarketAPI

/// Server-sent events, as WHATWG HTML, section 9.2, has them.
struct EventStreamParserTests {
  static let streams: [(String, [EventStreamParser.Item])] = [
    ("data: one\n\n", [.event(.init(data: "one"))]),
    ("data:one\r\n\r\n", [.event(.init(data: "one"))]),
    ("data: one\r\r", [.event(.init(data: "one"))]),
    ("\u{FEFF}data: 자전거\n\n", [.event(.init(data: "자전거"))]),
    ("data: one\ndata:  two\ndata\n\n", [.event(.init(data: "one\n two\n"))]),
    (
      "id: p1\nevent: product\ndata: {}\n\n:\n\n",
      [.event(.init(name: "product", data: "{}", id: "p1")), .comment]
    ),
    ("event: lost\n\ndata: kept\n\n", [.event(.init(data: "kept"))]),
    ("id: a\u{0}b\ndata: x\n\n", [.event(.init(data: "x"))]),
    ("retry: 250\nretry: 1e3\nunknown: x\n", [.retry(250)]),
    ("data: never ended\n", []),
  ]

  @Test(arguments: streams)
  func `a stream cut anywhere gives the same events`(
    stream: String, expected: [EventStreamParser.Item]
  ) throws {
    let bytes = Array(stream.utf8)

    for cut in 0...bytes.count {
      var parser = EventStreamParser()
      var items = try parser.feed(bytes[..<cut])
      items += try parser.feed(bytes[cut...])

      expect(items, expected)
    }
  }

  @Test func `a line without an end is refused`() {
    var parser = EventStreamParser()

    #expect(throws: EventStreamParser.TooLong.self) {
      _ = try parser.feed([UInt8](repeating: 0x61, count: 70_000))
    }
  }

  @Test func `an event without an end is refused`() {
    var parser = EventStreamParser()
    let line = Array(("data: " + String(repeating: "a", count: 1_000) + "\n").utf8)

    #expect(throws: EventStreamParser.TooLong.self) {
      for _ in 0..<300 { _ = try parser.feed(line) }
    }
  }
}
