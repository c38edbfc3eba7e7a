import Expectations
import TerminalTestSupport
import Testing

struct OutputParserTests {
  private let output = "한\u{1b}[?25l\u{1b}(B\r\u{1b}]0;title\u{7}\u{1b}P>|x\u{1b}\\end"

  private func kinds(_ tokens: [OutputToken]) -> [OutputToken.Kind] { tokens.map(\.kind) }

  @Test func `output is cut into its units`() {
    var parser = OutputParser()

    let tokens = parser.parse(Array(output.utf8))

    expect(
      kinds(tokens),
      [.text, .controlSequence, .escape, .control, .operatingSystemCommand, .controlString, .text])
    expect(tokens[1].privateModes?.numbers, [25])
    expect(tokens[4].body, "0;title")
    expect(tokens[5].body, ">|x")
  }

  @Test func `pieces of one byte give the same sequences`() {
    var whole = OutputParser()
    var pieces = OutputParser()

    let expected = whole.parse(Array(output.utf8)).filter { $0.kind != .text }
    let tokens = output.utf8.flatMap { pieces.parse([$0]) }.filter { $0.kind != .text }

    expect(tokens, expected)
  }

  @Test(arguments: ["é", "자", "🚲"])
  func `a character that arrives in pieces stays one`(character: String) {
    var parser = OutputParser()

    let tokens = ("a" + character).utf8.flatMap { parser.parse([$0]) }

    expect(tokens.map(\.bytes), [Array("a".utf8), Array(character.utf8)])
  }
}
