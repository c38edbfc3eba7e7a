import Expectations
import MarketAPI
import Testing

/// Changes of texts that people wrote.
struct JSONChangesTests {
  private func document(_ text: String) -> JSONDocument {
    var mistakes: [JSONDiagnostic] = []
    return JSONDocument(handwritten: Array(text.utf8), mistakes: &mistakes)
  }

  private func setting(_ path: [String], to value: String, in text: String) -> String? {
    document(text).setting(path, to: Array(value.utf8)).map { String(decoding: $0, as: UTF8.self) }
  }

  private func removing(_ path: [String], in text: String) -> String? {
    document(text).removing(path).map { String(decoding: $0, as: UTF8.self) }
  }

  @Test(arguments: [
    ("{ \"a\": 1 }", "{ \"a\": 2 }"),
    ("{ \"a\" /* x */ : 1 // y\n}", "{ \"a\" /* x */ : 2 // y\n}"),
    ("{ \"a\": 0, \"a\": 1, }", "{ \"a\": 0, \"a\": 2, }"), ("{\"a\":{\"b\":1}}", "{\"a\":2}"),
    ("{\"\\u0061\": \"}\"}", "{\"\\u0061\": 2}"),
  ])
  func `of a value that is there only its bytes change`(text: String, expected: String) {
    expect(setting(["a"], to: "2", in: text), expected)
  }

  @Test(arguments: [
    ("{}", "{\n  \"a\": 2\n}"), ("{\n}\n", "{\n  \"a\": 2\n}\n"),
    ("{\n    \"b\": 1\n}", "{\n    \"b\": 1,\n    \"a\": 2\n}"),
    ("{\n\t\"b\": 1, // last\n}", "{\n\t\"b\": 1, // last\n\t\"a\": 2\n}"),
    ("{\r\n  \"b\": 1\r\n}\r\n", "{\r\n  \"b\": 1,\r\n  \"a\": 2\r\n}\r\n"),
  ])
  func `a new member stands last, in the manner of the others`(text: String, expected: String) {
    expect(setting(["a"], to: "2", in: text), expected)
  }

  @Test(arguments: [
    ("{}", "{\n  \"t\": {\n    \"a\": 2\n  }\n}"),
    ("{\r\n  \"b\": 1\r\n}", "{\r\n  \"b\": 1,\r\n  \"t\": {\r\n    \"a\": 2\r\n  }\r\n}"),
    ("{ \"t\": { \"a\": 1 } }", "{ \"t\": { \"a\": 2 } }"),
    ("{\n  \"t\": {\n    \"b\": 1\n  }\n}", "{\n  \"t\": {\n    \"b\": 1,\n    \"a\": 2\n  }\n}"),
  ])
  func `a member of a table is set with the table or in it`(text: String, expected: String) {
    expect(setting(["t", "a"], to: "2", in: text), expected)
  }

  @Test(arguments: ["{ \"t\": 1 }", "[]", "3"])
  func `where no object is on the way nothing is set`(text: String) {
    expect(setting(["t", "a"], to: "2", in: text), nil)
  }

  @Test(arguments: [
    ("{ \"a\": 1 }", "{ }"), ("{ \"a\": 1, \"b\": 2 }", "{ \"b\": 2 }"),
    ("{ \"b\": 2, \"a\": 1 }", "{ \"b\": 2 }"), ("{ \"b\": 2, \"a\": 1, }", "{ \"b\": 2, }"),
    ("{\n  \"a\": 1,\n  \"b\": 2\n}", "{\n  \"b\": 2\n}"),
    ("{\n  \"b\": 2,\n  \"a\": 1\n}", "{\n  \"b\": 2\n}"),
    ("{\r\n  \"a\": 1,\r\n  \"b\": 2\r\n}", "{\r\n  \"b\": 2\r\n}"),
    ("{\n  // why\n  \"a\": 1, // how\n  \"b\": 2\n}", "{\n  // why\n  // how\n  \"b\": 2\n}"),
    ("{\n  \"b\": 2, // b\n  \"a\": {\n    \"c\": 1\n  }\n}", "{\n  \"b\": 2 // b\n}"),
    ("{ \"a\": 1 /* x, */ , \"b\": 2 }", "{ /* x, */  \"b\": 2 }"),
  ])
  func `a member goes with its comma and its line, and comments stay`(
    text: String, expected: String
  ) {
    let left = removing(["a"], in: text)

    expect(left, expected)
    var mistakes: [JSONDiagnostic] = []
    _ = JSONDocument(handwritten: Array((left ?? "").utf8), mistakes: &mistakes)
    #expect(mistakes.isEmpty)
  }

  @Test func `a member of a table goes, and the table stays`() {
    let text = "{ \"t\": { \"a\": 1 }, \"a\": 2 }"

    expect(removing(["t", "a"], in: text), "{ \"t\": { }, \"a\": 2 }")
    #expect(removing(["t", "b"], in: text) == nil && removing(["b"], in: text) == nil)
  }
}
