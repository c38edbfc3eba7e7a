internal import SafeTextKit

/// Text being edited: characters as a person sees them, with a caret, a selection and a history;
/// what all editors share.
///
/// Places are counted in characters from 0 to `characters.count`. The text is in NFC.
package struct TextBuffer: Hashable, Sendable {
  package private(set) var characters: [Character]
  package private(set) var caret: Int

  /// Most characters that editing leads to; a text that was longer from the start may stay so.
  package let limit: Int

  /// The other end of the selection.
  private var anchor: Int?
  private var history = EditHistory()

  /// Takes a text as it is but for NFC, also what could not be typed; the caret is at its end when
  /// nil.
  package init(_ text: String = "", caret: Int? = nil, limit: Int = .max) {
    characters = Array(text.precomposed)
    self.caret = min(max(0, caret ?? characters.count), characters.count)
    self.limit = limit
  }

  package var text: String { String(characters) }

  /// The selected places, never empty.
  package var selection: Range<Int>? {
    guard let anchor, anchor != caret else { return nil }
    return min(anchor, caret)..<max(anchor, caret)
  }

  package var selectedText: String? { selection.map { String(characters[$0]) } }

  /// Number of characters that may come in place of the selection.
  package var room: Int { max(0, limit - characters.count + (selection?.count ?? 0)) }

  /// The character to which a typed one may join; nil at the start.
  var characterBefore: Character? {
    let position = selection?.lowerBound ?? caret
    return position > 0 ? characters[position - 1] : nil
  }

  /// Goes to a place; `selecting` extends the selection to it, otherwise there is none then.
  package mutating func move(to position: Int, selecting: Bool = false) {
    anchor = selecting ? anchor ?? caret : nil
    caret = min(max(0, position), characters.count)
    history.endRun()
  }

  package mutating func move(_ motion: Motion, selecting: Bool = false) {
    if !selecting, let selection, motion == .left || motion == .right {
      move(to: motion == .left ? selection.lowerBound : selection.upperBound)
    } else {
      move(to: characters.target(of: motion, from: caret), selecting: selecting)
    }
  }

  package mutating func selectAll() {
    move(to: 0)
    move(to: characters.count, selecting: true)
  }

  /// Deletes the selection, or what `motion` would pass over.
  package mutating func delete(_ motion: Motion) {
    let target = characters.target(of: motion, from: caret)
    let range = selection ?? min(caret, target)..<max(caret, target)
    replace(range, with: "", kind: selection == nil ? .deleting : .single)
  }

  /// Takes the selection out and returns it.
  package mutating func cut() -> String? {
    guard let selection, let text = selectedText else { return nil }
    replace(selection, with: "", kind: .single)
    return text
  }

  /// Puts text in place of the selection.
  mutating func insert(_ text: String, kind: EditHistory.Kind) {
    replace(selection ?? caret..<caret, with: text, kind: kind)
  }

  /// Takes the last step back; false when there is none.
  @discardableResult package mutating func undo() -> Bool {
    guard let step = history.undo() else { return false }
    apply(step.edit.inverse, caret: step.caretBefore)
    return true
  }

  /// Takes the step again that was taken back last; false when there is none.
  @discardableResult package mutating func redo() -> Bool {
    guard let step = history.redo() else { return false }
    apply(step.edit, caret: step.edit.start + step.edit.inserted.count)
    return true
  }
}

extension TextBuffer {
  /// Replaces characters; what meets at the seams may join, as a vowel joins its consonant.
  private mutating func replace(
    _ range: Range<Int>, with text: String, kind: EditHistory.Kind
  ) {
    let start = max(0, range.lowerBound - 1)
    let end = min(characters.count, range.upperBound + 1)
    let head = (String(characters[start..<range.lowerBound]) + text).precomposed
    let tail = String(characters[range.upperBound..<end])
    let joined = Array((head + tail).precomposed)
    let edit = Edit(start: start, removed: Array(characters[start..<end]), inserted: joined)
    if !edit.isEmpty { history.record(edit, kind: kind, caretBefore: caret) }
    apply(edit, caret: start + min(head.count, joined.count))
  }

  private mutating func apply(_ edit: Edit, caret position: Int) {
    characters.replaceSubrange(edit.range, with: edit.inserted)
    caret = position
    anchor = nil
  }
}

/// Change that a key makes to the text of any field.
package struct TextChange {
  private let body: (inout any TextEditing) -> Void

  package init(_ body: @escaping (inout any TextEditing) -> Void) {
    self.body = body
  }

  package func apply<Editor: TextEditing>(to editor: inout Editor) {
    var any: any TextEditing = editor
    body(&any)
    if let changed = any as? Editor { editor = changed }
  }
}

extension Character {
  /// The text that a field shows for the character: a space for a line break and a tab.
  var shown: SafeText { SafeText(String(self)) }

  /// True for what cannot be typed: it acts on a terminal, or shows nothing.
  var isUnfit: Bool { hasControl || shown.isEmpty }

  private var hasControl: Bool {
    unicodeScalars.contains { $0.properties.generalCategory == .control }
  }

  /// The one character that both are (UAX #29); nil where they stay two.
  func joined(with next: Character) -> Character? {
    let both = String(self) + String(next)
    guard both.count == 1, let joined = both.first, !joined.hasControl else { return nil }
    return joined
  }
}

/// Motion of a caret from where it is; deleting takes the same names.
package enum Motion: Sendable, CaseIterable {
  case left, right
  case wordLeft, wordRight
  case lineStart, lineEnd
  case textStart, textEnd
}

extension [Character] {
  /// The place that `motion` leads to from `index`; the same when there is nothing that way.
  func target(of motion: Motion, from index: Int) -> Int {
    switch motion {
    case .left: Swift.max(0, index - 1)
    case .right: Swift.min(count, index + 1)
    case .wordLeft: wordStart(before: index)
    case .wordRight: wordEnd(after: index)
    case .lineStart: (self[..<index].lastIndex(where: \.isNewline) ?? -1) + 1
    case .lineEnd: self[index...].firstIndex(where: \.isNewline) ?? count
    case .textStart: 0
    case .textEnd: count
    }
  }

  private func wordStart(before index: Int) -> Int {
    guard let last = self[..<index].lastIndex(where: { !$0.isWhitespace }) else { return 0 }
    let isWord = self[last].isWord
    let gap = self[..<last].lastIndex { $0.isWhitespace || $0.isWord != isWord }
    return (gap ?? -1) + 1
  }

  private func wordEnd(after index: Int) -> Int {
    guard let first = self[index...].firstIndex(where: { !$0.isWhitespace }) else { return count }
    let isWord = self[first].isWord
    return self[first...].firstIndex { $0.isWhitespace || $0.isWord != isWord } ?? count
  }
}

extension Character {
  fileprivate var isWord: Bool { isLetter || isNumber }
}
