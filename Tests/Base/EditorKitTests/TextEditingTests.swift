import EditorKit
import Expectations
import SafeTextKit
import TestSupport
import Testing

struct TextEditingTests {
  @Test(arguments: 0..<100)
  func `random edits give what a naive editor gives`(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var editor = LineEditor()
    var model = NaiveEditor()
    for _ in 0..<150 {
      let action = EditingAction.random(using: &random)

      action.apply(to: &editor)
      action.apply(to: &model)

      expect(editor.buffer.characters, model.characters)
      expect(editor.buffer.caret, model.caret)
    }
  }

  @Test(arguments: 0..<50)
  func `undo leads back through texts that were there, and redo forth`(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var editor = LineEditor("처음")
    var seen = [editor.text]
    for _ in 0..<150 {
      EditingAction.random(using: &random).apply(to: &editor)
      seen.append(editor.text)
    }

    var steps: [String] = []
    while editor.undo() { steps.append(editor.text) }
    let first = editor.text
    while editor.redo() {}

    expect(first, "처음")
    #expect(Set(steps).isSubset(of: seen))
    expect(editor.text, seen.last)
  }

  @Test(arguments: 0..<100)
  func `a text that is typed scalar by scalar is the text that is pasted`(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let pieces = [
      "👩‍💻", "❤️", "👍🏽", "1️⃣", "🇰🇷", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "👨‍👩‍👧‍👦", "🏳️‍🌈", "각", "e\u{301}", "a", " ", "\u{200D}", "\u{FE0F}",
      "🏽", "\u{20E3}", "🇺", "\u{1100}", "\u{1161}",
    ]
    let text = (0..<8).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
    func bothWays<Editor: TextEditing>(_ empty: Editor) -> (typed: Editor, pasted: Editor) {
      var (typed, pasted) = (empty, empty)
      for scalar in text.unicodeScalars { typed.type(String(Character(scalar))) }
      pasted.paste(text)
      return (typed, pasted)
    }

    let (line, pastedLine) = bothWays(LineEditor())
    let (area, pastedArea) = bothWays(TextEditor())

    expect(line.buffer.characters, pastedLine.buffer.characters)
    expect(Array(line.text.utf8), Array(pastedLine.text.utf8))
    expect(Array(area.text.utf8), Array(pastedArea.text.utf8))
  }

  @Test(arguments: ["👩‍💻", "❤️", "👍🏽", "1️⃣", "🏳️‍🌈", "👨‍👩‍👧‍👦"])
  func `an emoji of several keys is one character, which needs one place and one deletion`(
    emoji: String
  ) {
    var editor = LineEditor("a", limit: 2)

    let areWhole = emoji.unicodeScalars.map { editor.type(String(Character($0))) }
    let hasRoom = editor.type("b")

    #expect(areWhole.allSatisfy(\.self) && !hasRoom)
    expect(Array(editor.text.unicodeScalars), Array(("a" + emoji).unicodeScalars))
    editor.delete(.left)
    expect(editor.text, "a")
  }

  @Test func `a joiner between two emoji joins them, and alone is nothing`() {
    var editor = LineEditor("👩💻", caret: 1)
    var empty = LineEditor()

    editor.type("\u{200D}")
    empty.type("\u{200D}")

    expect(editor.buffer.characters, ["👩‍💻"])
    #expect(empty.text.isEmpty)
  }

  @Test func `typing is undone by the word, a paste at once`() {
    var editor = LineEditor()
    for key in ["자", "전", "거", " ", "팝", "니", "다"] { editor.type(key) }
    editor.paste("!!!")

    var texts: [String] = []
    while editor.undo() { texts.append(editor.text) }

    expect(texts, ["자전거 팝니다", "자전거 ", ""])
  }

  @Test func `undo puts the caret back, and an edit forgets what was undone`() {
    var editor = LineEditor("abc", caret: 1)
    editor.delete(.right)
    editor.move(.textEnd)

    editor.undo()

    expect(editor.text, "abc")
    expect(editor.buffer.caret, 1)

    editor.type("x")

    let isRedone = editor.redo()
    #expect(!isRedone)
    expect(editor.text, "axbc")
  }

  @Test func `words are found in Korean, English and punctuation`() {
    var editor = LineEditor("중고 bike, 50,000원", caret: 0)
    var places: [Int] = []

    for _ in 0..<5 {
      editor.move(.wordRight)
      places.append(editor.buffer.caret)
    }
    for _ in 0..<3 {
      editor.move(.wordLeft)
      places.append(editor.buffer.caret)
    }

    expect(places, [2, 7, 8, 11, 12, 11, 9, 7])
  }

  @Test func `words and lines are deleted from the caret`() {
    var editor = TextEditor("첫 줄\n둘째 줄 끝")

    editor.delete(.wordLeft)
    expect(editor.text, "첫 줄\n둘째 줄 ")

    editor.delete(.lineStart)
    expect(editor.text, "첫 줄\n")

    editor.move(.textStart)
    editor.delete(.lineEnd)
    expect(editor.text, "\n")
  }

  @Test func `a selection is replaced, cut, and left by an arrow at its edge`() {
    var editor = LineEditor("새 자전거")
    editor.move(.wordLeft, selecting: true)
    expect(editor.buffer.selectedText, "자전거")

    let cut = editor.cut()
    expect(cut, "자전거")
    expect(editor.text, "새 ")

    editor.buffer.selectAll()
    editor.move(.left)
    expect(editor.buffer.caret, 0)
    expect(editor.buffer.selection, nil)

    editor.buffer.selectAll()
    editor.type("헌")
    expect(editor.text, "헌")
  }

  @Test func `a selection typed over with itself is left behind the caret`() {
    var editor = LineEditor("ab", caret: 1)
    editor.move(.left, selecting: true)

    editor.type("a")

    expect(editor.text, "ab")
    expect(editor.buffer.caret, 1)
    expect(editor.buffer.selection, nil)
  }

  @Test func `deleting takes whole characters`() {
    var editor = LineEditor("e\u{323}\u{302}👨‍👩‍👧한")

    editor.delete(.left)
    editor.delete(.left)

    expect(editor.text, "e\u{323}\u{302}")
    expect(editor.buffer.characters.count, 1)
  }

  @Test func `what is typed in parts joins`() {
    var editor = LineEditor()

    for part in ["\u{1112}", "\u{1161}", "\u{11AB}"] { editor.type(part) }

    #expect(editor.text.unicodeScalars.elementsEqual("한".unicodeScalars))
    expect(editor.buffer.caret, 1)
  }
}
