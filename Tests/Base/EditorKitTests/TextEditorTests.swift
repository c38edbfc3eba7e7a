import EditorKit
import Expectations
import SafeTextKit
import TestSupport
import Testing

struct TextEditorTests {
  @Test func `text is wrapped behind spaces, and long words anywhere`() {
    let layout = TextEditor("중고 자전거 팝니다\n\nabcdefghijklmno", caret: 0).layout(columns: 13)

    expect(texts(layout), ["중고 자전거 ", "팝니다", "", "abcdefghijkl", "mno"])
  }

  @Test func `the caret behind a full row is in its last column`() {
    var editor = TextEditor("한글한글")
    expect(caret(editor.layout(columns: 9)), [0, 8])

    editor.type(" ")
    expect(caret(editor.layout(columns: 9)), [1, 0])
  }

  @Test func `up and down keep the column where rows are long enough`() {
    var editor = TextEditor("abcdef\n한\nabcdef", caret: 5)
    var places: [Int] = []

    for motion in [TextEditor.RowMotion.down, .down, .down, .up, .up, .up] {
      editor.move(motion, columns: 20)
      places.append(editor.buffer.caret)
    }

    expect(places, [8, 14, 15, 8, 5, 0])
  }

  @Test func `rows have a start and an end, and a selection in them`() {
    var editor = TextEditor("가나 다라 마바", caret: 4)

    editor.move(.rowStart, columns: 6)
    expect(editor.buffer.caret, 3)

    editor.move(.rowEnd, columns: 6, selecting: true)
    let layout = editor.layout(columns: 6)
    expect(editor.buffer.selectedText, "다라")
    expect(layout.columns(of: 1..<7, inRow: 0), 2..<5)
    expect(layout.columns(of: 1..<7, inRow: 1), 0..<5)
    expect(layout.columns(of: 1..<7, inRow: 2), 0..<2)
    #expect(layout.columns(of: 0..<1, inRow: 2).isEmpty)
  }

  @Test func `line breaks of all kinds are pasted as newlines`() {
    var editor = TextEditor()

    editor.paste("a\r\nb\rc\u{2028}d\te\u{7}")

    expect(editor.text, "a\nb\nc\nd e")
  }

  @Test(arguments: 0..<60)
  func `layout shows each character once and the caret always`(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let columns = Int.random(in: 1...25, using: &random)
    var editor = TextEditor()
    for turn in 0..<120 {
      EditingAction.random(using: &random).apply(to: &editor)
      if turn % 7 == 0 { editor.type("\n") }
      if turn % 5 == 0 {
        editor.move(.rows(Int.random(in: -4...4, using: &random)), columns: columns)
      }

      let layout = editor.layout(columns: columns)

      let shown = layout.rows.flatMap(\.range)
      let breaks = editor.buffer.characters.indices.filter {
        editor.buffer.characters[$0].isNewline
      }
      expect((shown + breaks).sorted(), Array(editor.buffer.characters.indices))
      #expect(texts(layout).allSatisfy { SafeText($0).columns <= max(2, columns) })
      #expect(0..<columns ~= layout.caretColumn)
      for height in 1...4 { #expect(layout.window(height: height).contains(layout.caretRow)) }
      #expect(
        columns == 1
          || layout.position(row: layout.caretRow, column: layout.caretColumn)
            == editor.buffer.caret
      )
    }
  }

  private func texts(_ layout: TextLayout) -> [String] {
    layout.rows.indices.map { layout.text(ofRow: $0).string }
  }

  private func caret(_ layout: TextLayout) -> [Int] { [layout.caretRow, layout.caretColumn] }
}
