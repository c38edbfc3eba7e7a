import EditorKit
import SafeText
import Testing

@Suite struct NumberEditorTests {
  @Test func `separators come as one types, and the caret stays behind its digit`() {
    var editor = NumberEditor()

    var shown: [String] = []
    for digit in ["1", "6", "9", "0", "0"] {
      editor.type(digit)
      shown.append(editor.visible(columns: 20).text.string)
    }

    #expect(shown == ["1", "16", "169", "1,690", "16,900"])
    #expect(editor.visible(columns: 20).caretColumn == 6)

    editor.move(.left)
    editor.move(.left)
    editor.move(.left)
    #expect(editor.visible(columns: 20).caretColumn == 3)

    editor.delete(.left)
    #expect(editor.visible(columns: 20).text.string == "1,900")
  }

  @Test(arguments: [
    ("1,690,000원", 0, "1690000"), ("$12.50", 2, "12.50"), ("１２３", 0, "123"), ("₩ 5000", 0, "5000"),
    ("1.690.000", 2, "1690000"), ("12.500", 0, "12500"), ("٤٢", 0, "42"), (".5", 2, ".5"),
  ])
  func `prices are pasted as people write them`(pasted: String, decimals: Int, digits: String) {
    var editor = NumberEditor(decimals: decimals)

    let isWhole = editor.paste(pasted)

    #expect(isWhole)
    #expect(editor.text == digits)
  }

  @Test(arguments: ["12.50", "무료", "1234567890123456", "-", "1.2.34567890123456"])
  func `what is no number of this field is not taken`(pasted: String) {
    var editor = NumberEditor("7")

    let isWhole = editor.paste(pasted)

    #expect(!isWhole)
    #expect(editor.text == "7")
  }

  @Test func `no more decimals than there are`() {
    var editor = NumberEditor(decimals: 2)

    for key in ["1", ".", "2", ".", "5", "9"] { editor.type(key) }

    #expect(editor.text == "1.25")
  }

  @Test func `a megabyte is not read as a number`() {
    var editor = NumberEditor()

    let isWhole = editor.paste(String(repeating: "1", count: 1_000_000))

    #expect(!isWhole)
    #expect(editor.text.isEmpty)
  }
}
