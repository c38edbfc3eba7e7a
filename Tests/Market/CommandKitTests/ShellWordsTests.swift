import CommandKit
import Expectations
import Testing

struct ShellWordsTests {
  @Test(arguments: [
    ("", []),
    ("  \t ", []),
    ("list", ["list"]),
    (" list  --json ", ["list", "--json"]),
    ("list --search \"mountain bike\" --json", ["list", "--search", "mountain bike", "--json"]),
    ("new --name 'Red & fast; \"new\"'", ["new", "--name", "Red & fast; \"new\""]),
    (#"a\ b "c\"d" 'e\f' "g\h" \\"#, ["a b", #"c"d"#, #"e\f"#, #"g\h"#, #"\"#]),
    ("'' \"\" x''y", ["", "", "xy"]),
    ("it\"'\"s 빨강'색 '자전거", ["it's", "빨강색 자전거"]),
    ("a#b ~ * ? {a,b} !1", ["a#b", "~", "*", "?", "{a,b}", "!1"]),
    ("one\\\ntwo", ["onetwo"]),
  ])
  func `words are divided as a shell does`(line: String, words: [String]) throws {
    try expect(ShellWords(line).words, words)
  }

  @Test(
    arguments: [
      ("'", .open("'")), ("a \"b", .open("\"")), (#"a \"#, .open("\\")), (#""a\"#, .open("\"")),
      ("list; id", .sign(";")), ("list | sh", .sign("|")), ("a && b", .sign("&")),
      ("$HOME", .sign("$")), ("\"$(id)\"", .sign("$")), ("`id`", .sign("`")),
      ("\"`id`\"", .sign("`")),
      ("list > /tmp/x", .sign(">")), ("< /etc/passwd", .sign("<")), ("(id)", .sign("(")),
      ("list\nid", .sign("\n")), ("list\r\nid", .sign("\r\n")), ("# list", .sign("#")),
      ("a\0b", .tooLong),
    ] as [(String, ShellWords.Mistake)])
  func `what a shell would do more with is refused`(line: String, mistake: ShellWords.Mistake) {
    #expect(throws: mistake) { try ShellWords(line) }
  }

  @Test func `a line has an end`() {
    let longest = String(repeating: "a", count: ShellWords.maxBytes)
    let most = String(repeating: "a ", count: ShellWords.maxWords)

    #expect(throws: Never.self) { try ShellWords(longest) }
    #expect(throws: Never.self) { try ShellWords(most) }
    #expect(throws: ShellWords.Mistake.tooLong) { try ShellWords(longest + "a") }
    #expect(throws: ShellWords.Mistake.tooLong) { try ShellWords(most + "a") }
  }

  @Test func `words in single quotes come back as they are`() throws {
    let words = ["", " ", "a b", "$(id)", "`", "\"", "\\", "\n", "it", "가 나", "--", "*"]
    let line = words.map { "'" + $0 + "'" }.joined(separator: " ")

    try expect(ShellWords(line).words, words)
  }
}
