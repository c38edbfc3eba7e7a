import Expectations
import MarketAPI
import MarketModel
import TestSupport
import Testing

struct JSONWriterTests {
  @Test func `commas stand between values and nowhere else`() {
    var writer = JSONWriter()

    writer.beginObject()
    writer.member("a", 1)
    writer.key("b")
    writer.beginArray()
    writer.bool(true)
    writer.beginObject()
    writer.endObject()
    writer.string("x{")
    writer.string("[")
    writer.endArray()
    writer.member("c", hundredths: 250)
    writer.endObject()

    expect(
      String(decoding: writer.bytes, as: UTF8.self), #"{"a":1,"b":[true,{},"x{","["],"c":2.5}"#)
  }

  @Test(arguments: [
    ("plain", #""plain""#),
    ("\"\\/", #""\"\\/""#),
    ("a\nb\r\tc", #""a\nb\r\tc""#),
    ("\u{0}\u{1F}\u{7F}", #""\u0000\u001f\u007f""#),
    ("a\u{2028}b\u{2029}", #""a\u2028b\u2029""#),
    ("\u{2027}\u{202A}â한글😀", "\"\u{2027}\u{202A}â한글😀\""),
    ("", "\"\""),
  ])
  func `strings are escaped`(text: String, expected: String) {
    var writer = JSONWriter()

    writer.string(text)

    expect(String(decoding: writer.bytes, as: UTF8.self), expected)
  }

  @Test func `a string is what its characters are one by one`() {
    var random = SeededRandom(seed: 2)
    let special: [Unicode.Scalar] = [
      "\"", "\\", "\n", "\r", "\t", "\0", "\u{1F}", "\u{7F}", "\u{2027}", "\u{2028}", "\u{2029}",
      "한", "😀",
    ]
    func escaped(_ scalar: Unicode.Scalar) -> String {
      switch scalar {
      case "\"", "\\": "\\" + String(scalar)
      case "\n": "\\n"
      case "\r": "\\r"
      case "\t": "\\t"
      case "\u{2028}": "\\u2028"
      case "\u{2029}": "\\u2029"
      case "\0"..<" ", "\u{7F}":
        "\\u00" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
      default: String(scalar)
      }
    }
    for _ in 0..<2_000 {
      let scalars = (0..<Int.random(in: 0...40, using: &random)).map { _ in
        Int.random(in: 0..<8, using: &random) == 0
          ? special.randomElement(using: &random) ?? "a"
          : Unicode.Scalar(UInt8.random(in: 0x20...0x7E, using: &random))
      }
      let text = String(String.UnicodeScalarView(scalars))
      var writer = JSONWriter()

      writer.string(text)

      let expected = "\"" + scalars.map(escaped).joined() + "\""
      expect(writer.bytes, Array(expected.utf8))
    }
  }

  @Test(
    arguments: [
      (0, "0"), (100, "1"), (236, "2.36"), (1_250, "12.5"), (5, "0.05"), (-150, "-1.5"),
      (169_000_000, "1690000"), (Int64.max, "92233720368547758.07"),
      (Int64.min, "-92233720368547758.08"),
    ] as [(Int64, String)])
  func `amounts have no more decimals than they need`(hundredths: Int64, expected: String) {
    var writer = JSONWriter()

    writer.amount(hundredths: hundredths)

    expect(String(decoding: writer.bytes, as: UTF8.self), expected)
  }

  @Test func `a password is written as text`() {
    var writer = JSONWriter()

    writer.password(Password("a\"b한"))

    expect(String(decoding: writer.bytes, as: UTF8.self), #""a\"b한""#)
  }

  @Test func `what is written is read back`() throws {
    var random = SeededRandom(seed: 1)
    for _ in 0..<500 {
      let scalars = (0..<20).compactMap { _ in
        Unicode.Scalar(UInt32.random(in: 0...0x2_FFFF, using: &random))
      }
      let text = String(String.UnicodeScalarView(scalars))
      var writer = JSONWriter()

      writer.string(text)

      try expect(JSONDocument(parsing: writer.bytes).root.string, text)
    }
  }
}
