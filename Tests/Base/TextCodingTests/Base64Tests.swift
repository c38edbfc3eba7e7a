import Expectations
import TestSupport
import Testing
import TextCoding

struct Base64Tests {
  /// RFC 4648, section 10.
  @Test(arguments: [
    ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
    ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"),
  ])
  func `the samples of the standard go both ways`(text: String, encoded: String) {
    expect(String(decoding: Base64.encode(Array(text.utf8)), as: UTF8.self), encoded)
    expect(Base64.decode(encoded), Array(text.utf8))
  }

  @Test func `any bytes come back`() {
    var random = SeededRandom(seed: 7)
    for count in 0..<100 {
      let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }

      expect(Base64.decode(String(decoding: Base64.encode(bytes), as: UTF8.self)), bytes)
    }
  }

  @Test func `line breaks and missing padding are let through, anything else is not`() {
    expect(Base64.decode("Zm9v\r\nYg"), Array("foob".utf8))
    expect(Base64.decode("Zm9v-_"), nil)
  }
}
