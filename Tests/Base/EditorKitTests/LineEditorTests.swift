import EditorKit
import Expectations
import SafeTextKit
import TestSupport
import Testing

struct LineEditorTests {
  @Test func `a paste is one line without control characters`() {
    var editor = LineEditor()

    let isWhole = editor.paste("한\r\n글\t\u{1B}[2J\u{200B}끝")

    #expect(isWhole)
    expect(editor.text, "한 글 [2J끝")
  }

  @Test func `a megabyte is cut at the limit`() {
    var editor = LineEditor("가", limit: 100)

    let isWhole = editor.paste(String(repeating: "나다", count: 200_000))

    #expect(!isWhole)
    expect(editor.buffer.characters.count, 100)

    let isTyped = editor.type("라")
    #expect(!isTyped)
    expect(editor.buffer.characters.count, 100)
  }

  @Test func `a megabyte of marks on one letter is cut`() {
    var editor = LineEditor(limit: 100)

    editor.paste("a" + String(repeating: "\u{301}\u{316}", count: 250_000))

    expect(editor.buffer.characters.count, 1)
    #expect(editor.text.unicodeScalars.count <= 31)
  }

  @Test func `a text above the limit is kept, and may become shorter`() {
    var editor = LineEditor("abcdef", limit: 3)

    let isTyped = editor.type("x")
    #expect(!isTyped)
    expect(editor.text, "abcdef")

    editor.buffer.selectAll()
    let isPasted = editor.paste("wxyz")
    #expect(!isPasted)
    expect(editor.text, "wxy")
  }

  @Test func `text that could not be typed is kept and shown harmlessly`() {
    let editor = LineEditor("a\u{1B}[1m\nb")

    expect(editor.text, "a\u{1B}[1m\nb")
    expect(editor.visible(columns: 20).text.string, "a�[1m b")
    expect(editor.visible(columns: 20).caretColumn, 7)
  }

  @Test func `a field shows both halves of a wide character or none`() {
    let editor = LineEditor("가나다라마바사", caret: 3)

    let visible = editor.visible(columns: 7)

    expect(visible.text.string, " 다라마")
    expect(visible.caretColumn, 3)
  }

  @Test(arguments: 1...30)
  func `the caret is always in the field, where its character is`(columns: Int) {
    var random = SeededRandom(seed: UInt64(columns))
    var editor = LineEditor()
    for _ in 0..<200 {
      EditingAction.random(using: &random).apply(to: &editor)

      let (text, caretColumn) = editor.visible(columns: columns)

      #expect(0..<columns ~= caretColumn)
      #expect(text.columns <= columns)
      expect(SafeText(text.string).columns, text.columns)
      let next = editor.buffer.characters.dropFirst(editor.buffer.caret).first.map(String.init)
      let shown = SafeText(next ?? "").prefix(columns: 2)
      if caretColumn + 2 <= columns {
        #expect(text.dropping(columns: caretColumn).string.hasPrefix(shown.string))
      }
    }
  }
}
