import EditorKit
import Expectations
import SafeTextKit
import Testing

struct PasswordEditorTests {
  @Test func `a password is shown as dots and printed as nothing`() {
    var editor = PasswordEditor()

    editor.type("비밀\u{1112}\u{1161}\u{11AB}a\u{1B}\n")

    var dumped = ""
    dump(editor, to: &dumped)
    expect(editor.masked.string, "••••")
    expect(editor.withBytes { String(decoding: $0, as: UTF8.self) }, "비밀한a")
    expect("\(editor) \(String(reflecting: editor))", "•••• ••••")
    #expect(!dumped.contains("비"))
  }

  @Test func `deleting takes the last character with all its bytes`() {
    var editor = PasswordEditor()
    editor.type("a한")

    editor.deleteLast()
    expect(editor.withBytes { Array($0) }, [0x61])

    editor.deleteLast()
    editor.deleteLast()
    #expect(editor.isEmpty)
  }

  @Test func `wiping overwrites the bytes of all copies`() {
    var editor = PasswordEditor()
    editor.type("secret")
    let copy = editor
    let bytes = editor.withBytes { UnsafeBufferPointer(start: $0.baseAddress, count: $0.count) }

    editor.wipe()

    #expect(copy.isEmpty)
    #expect(bytes.allSatisfy { $0 == 0 })
  }

  @Test func `what does not fit is not taken at all`() {
    var editor = PasswordEditor()
    editor.type(String(repeating: "x", count: PasswordEditor.capacity - 1))

    let isWhole = editor.type("한")

    #expect(!isWhole)
    expect(editor.characterCount, PasswordEditor.capacity - 1)
  }
}
