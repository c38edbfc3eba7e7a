import Expectations
import MarketAPI
import Testing

struct JSONDocumentTests {
  @Test func `values are found by their keys`() throws {
    let root = try JSONDocument(
      parsing: Array(#"{"a":{"b":[1,"two",true,null,{}]},"c":"x"}"#.utf8)
    ).root

    let list = try #require(root["a"]?["b"])
    let elements = Array(list.elements)
    expect(elements.count, 5)
    expect(elements[0].number?.integer, 1)
    expect(elements[1].string, "two")
    expect(elements[2].bool, true)
    #expect(elements[3].isNull)
    #expect(elements[4].isObject)
    expect(root["c"]?.string, "x")
    #expect(root["b"] == nil)
  }

  @Test func `asking for the wrong type gives nothing`() throws {
    let root = try JSONDocument(parsing: Array(#"{"a":[1]}"#.utf8)).root

    expect(root.string, nil)
    expect(root.number, nil)
    #expect(root["a"]?["b"] == nil)
    expect(root["a"]?.bool, nil)
    #expect(Array(root.elements).isEmpty)
  }

  @Test func `the first of two equal keys counts`() throws {
    let root = try JSONDocument(parsing: Array(#"{"a":1,"a":2,"\u0061":3}"#.utf8)).root

    expect(root["a"]?.number?.integer, 1)
  }

  @Test func `a null counts as absent`() throws {
    let root = try JSONDocument(parsing: Array(#"{"a":null}"#.utf8)).root

    #expect(root["a"] == nil)
  }

  @Test(arguments: [
    (#""a\n\t\r\b\f\/\\\"""#, "a\n\t\r\u{8}\u{C}/\\\""),
    (#""\ud55c\uAE00""#, "한글"),
    (#""\ud83d\ude00""#, "😀"),
    (#""\ud83d""#, "\u{FFFD}"),
    (#""\ud83dx\ude00""#, "\u{FFFD}x\u{FFFD}"),
    (#""\ud83d\u0041""#, "\u{FFFD}A"),
    (#""\\n""#, "\\n"),
    ("\"a\nb\"", "a\nb"),
  ])
  func `strings are decoded`(text: String, expected: String) throws {
    try expect(JSONDocument(parsing: Array(text.utf8)).root.string, expected)
  }

  @Test func `broken UTF-8 is repaired`() throws {
    let root = try JSONDocument(parsing: [0x22, 0x61, 0xFF, 0x22]).root

    expect(root.string, "a\u{FFFD}")
  }

  @Test(arguments: ["\u{FEFF}{}", " {} \r\n\r\n", "\n[\n]\n", "0", "-0.5e+3", "\"\""])
  func `whole texts are accepted`(text: String) throws {
    _ = try JSONDocument(parsing: Array(text.utf8))
  }

  @Test(arguments: [
    "", " ", "{", "[", "[1", "[1,", "[1,]", "[,1]", "{,}", "{\"a\"}", "{\"a\":}", "{\"a\":1,}",
    "{a:1}", "{1:2}", "[1 2]", "01", "-", "1.", ".5", "1e", "+1", "tru", "nulL", "\"", "\"\\",
    "\"\\x\"", "\"\\u12\"", "\"\\u12g4\"", "{}x", "[]]", "}", "]", "[}", "{]", "<html>", "NaN",
  ])
  func `broken texts are refused`(text: String) {
    #expect(throws: JSONError.self) { try JSONDocument(parsing: Array(text.utf8)) }
  }

  @Test func `depth is limited`() throws {
    let deep = Array(String(repeating: "[", count: 65).utf8)
    let allowed = Array(
      (String(repeating: "[", count: 64) + String(repeating: "]", count: 64)).utf8)

    #expect(throws: JSONError.tooDeep) { try JSONDocument(parsing: deep) }
    _ = try JSONDocument(parsing: allowed)
  }

  @Test func `millions of values are refused`() {
    let bytes = Array(("[" + String(repeating: "0,", count: 1_100_000) + "0]").utf8)

    #expect(throws: JSONError.tooManyValues) { try JSONDocument(parsing: bytes) }
  }

  @Test(arguments: ["[", "{\"a\":"])
  func `ten thousand levels are refused, and read where they are allowed`(opening: String) throws {
    let bytes = Array(String(repeating: opening, count: 10_000).utf8)

    #expect(throws: JSONError.tooDeep) { try JSONDocument(parsing: bytes) }
    #expect(throws: JSONError.unexpectedEnd) {
      try JSONDocument(parsing: bytes, maximumDepth: 20_000)
    }
  }
}
