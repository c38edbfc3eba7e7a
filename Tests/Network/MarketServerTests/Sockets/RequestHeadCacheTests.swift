import Expectations
import MarketAPI
import Testing

@testable import MarketServer

struct RequestHeadCacheTests {
  private static let text = "GET /known?page_no=1 HTTP/1.1\r\nHost: market.example\r\n\r\n"

  @Test func `a head is found by all its bytes, and by no others`() throws {
    var cache = RequestHeadCache()
    let head = try Self.read(Self.text)

    Self.lend(Self.text) { cache.store(head, of: $0) }

    #expect(Self.lend(Self.text) { cache.head(of: $0) } == head)
    for position in Self.text.utf8.indices.dropFirst() {
      let shorter = String(Self.text[..<position])
      expect(Self.lend(shorter) { cache.head(of: $0) }, nil)
    }
    for position in Self.text.utf8.indices {
      var bytes = Array(Self.text.utf8)
      bytes[Self.text.utf8.distance(from: Self.text.startIndex, to: position)] ^= 1
      expect(bytes.withUnsafeBytes { cache.head(of: $0) }, nil)
    }
    expect(Self.lend(Self.text + "G") { cache.head(of: $0) }, nil)
  }

  @Test func `a head of a request with a body, or a long one, is not remembered`() throws {
    var cache = RequestHeadCache()
    let long = Self.text.dropLast() + "Cookie: \(String(repeating: "a", count: 1_024))\r\n\r\n"
    let others = [
      "GET / HTTP/1.1\r\nHost: market.example\r\nContent-Length: 3\r\n\r\n", String(long),
      "POST / HTTP/1.1\r\nHost: market.example\r\nContent-Length: 3\r\n\r\n",
      "DELETE /api/products/1/secret HTTP/1.1\r\nHost: market.example\r\n\r\n",
    ]

    for text in others {
      let head = try Self.read(text)
      Self.lend(text) { cache.store(head, of: $0) }
      expect(Self.lend(text) { cache.head(of: $0) }, nil)
    }
  }

  @Test func `however many heads there are, each that is found is the right one`() throws {
    var cache = RequestHeadCache()
    let texts = (1...500).map { Self.text.replacing("page_no=1", with: "page_no=\($0)") }

    for text in texts {
      let head = try Self.read(text)
      Self.lend(text) { cache.store(head, of: $0) }
    }

    let found = texts.compactMap { text in
      Self.lend(text) { cache.head(of: $0) }.map { text.contains("GET \($0.target) ") }
    }
    #expect((1...64).contains(found.count))
    #expect(!found.contains(false))
  }

  private static func read(_ text: String) throws(RequestRejection) -> RequestHead {
    try Array(text.utf8).withBytes { bytes throws(RequestRejection) in
      try RequestHead(parsing: bytes)
    }
  }

  @discardableResult
  private static func lend<Answer>(
    _ text: String, _ body: (UnsafeRawBufferPointer) -> Answer
  ) -> Answer {
    Array(text.utf8).withUnsafeBytes(body)
  }
}
