import EditorKit
import SafeTextKit
import TestSupport

/// An editor without cleverness: each edit composes the whole text anew.
struct NaiveEditor {
  private(set) var characters: [Character] = []
  private(set) var caret = 0
  private var anchor: Int?

  private var selection: Range<Int> {
    min(caret, anchor ?? caret)..<max(caret, anchor ?? caret)
  }

  mutating func move(to position: Int, selecting: Bool) {
    anchor = selecting ? anchor ?? caret : nil
    caret = position
  }

  mutating func insert(_ text: String) {
    replace(selection, with: text)
  }

  mutating func delete(to position: Int) {
    replace(selection.isEmpty ? min(caret, position)..<max(caret, position) : selection, with: "")
  }

  private mutating func replace(_ range: Range<Int>, with text: String) {
    let head = (String(characters[..<range.lowerBound]) + text).precomposed
    characters = Array((head + String(characters[range.upperBound...])).precomposed)
    caret = min(head.count, characters.count)
    anchor = nil
  }
}

/// Something that a person does in a field.
enum EditingAction {
  case type(String)
  case paste(String)
  case move(Int, selecting: Bool)
  case deleteLeft, deleteRight

  /// Wide characters, parts of syllables, marks and spaces among letters.
  private static let alphabet = [
    "a", "b", "-", " ", " ", "한", "漢", "🚲", "\u{1112}", "\u{1161}", "\u{11AB}", "e", "\u{301}",
  ]

  static func random(using random: inout SeededRandom) -> EditingAction {
    switch Int.random(in: 0..<12, using: &random) {
    case 0: .deleteLeft
    case 1: .deleteRight
    case 2, 3: .move(Int.random(in: 0...40, using: &random), selecting: Bool.random(using: &random))
    case 4: .paste((0..<8).map { _ in letter(using: &random) }.joined())
    default: .type(letter(using: &random))
    }
  }

  private static func letter(using random: inout SeededRandom) -> String {
    alphabet[Int.random(in: alphabet.indices, using: &random)]
  }

  func apply(to editor: inout some TextEditing) {
    switch self {
    case .type(let text): editor.type(text)
    case .paste(let text): editor.paste(text)
    case .move(let position, let selecting): editor.buffer.move(to: position, selecting: selecting)
    case .deleteLeft: editor.delete(.left)
    case .deleteRight: editor.delete(.right)
    }
  }

  func apply(to model: inout NaiveEditor) {
    switch self {
    case .type(let text), .paste(let text): model.insert(text)
    case .move(let position, let selecting):
      model.move(to: min(position, model.characters.count), selecting: selecting)
    case .deleteLeft: model.delete(to: max(0, model.caret - 1))
    case .deleteRight: model.delete(to: min(model.characters.count, model.caret + 1))
    }
  }
}
