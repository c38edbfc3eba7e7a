internal import SafeTextKit

/// Edited text with caret, selection and history; shared by all editors.
///
/// Positions are character offsets from 0 to `characters.count`. The text is in NFC.
package struct TextBuffer: Hashable, Sendable {
  package private(set) var characters: [Character]
  package private(set) var caret: Int

  /// Maximum characters that edits may reach; a longer initial text stays.
  package let limit: Int

  /// Other end of the selection; nil for none.
  private var anchor: Int?
  private var history = EditHistory()

  /// Creates a buffer with `text`, normalized to NFC and otherwise unfiltered.
  ///
  /// `caret` is a character offset, clamped; nil places it at the end.
  package init(_ text: String = "", caret: Int? = nil, limit: Int = .max) {
    characters = Array(text.precomposed)
    self.caret = min(max(0, caret ?? characters.count), characters.count)
    self.limit = limit
  }

  package var text: String { String(characters) }

  /// Selected range; nil for none.
  package var selection: Range<Int>? {
    guard let anchor, anchor != caret else { return nil }
    return min(anchor, caret)..<max(anchor, caret)
  }

  package var selectedText: String? { selection.map { String(characters[$0]) } }

  /// Characters that may replace the selection within `limit`.
  package var room: Int { max(0, limit - characters.count + (selection?.count ?? 0)) }

  /// Character before the caret or selection, with which a typed character may combine; nil at the start.
  var characterBefore: Character? {
    let position = selection?.lowerBound ?? caret
    return position > 0 ? characters[position - 1] : nil
  }

  /// Moves the caret, clamped to the text; `selecting` extends the selection to it, else the
  /// selection ends.
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

  /// Deletes the selection, or without one the characters up to the target of `motion`.
  package mutating func delete(_ motion: Motion) {
    let target = characters.target(of: motion, from: caret)
    let range = selection ?? min(caret, target)..<max(caret, target)
    replace(range, with: "", kind: selection == nil ? .deleting : .single)
  }

  /// Removes the selection and returns it; nil for none.
  package mutating func cut() -> String? {
    guard let selection, let text = selectedText else { return nil }
    replace(selection, with: "", kind: .single)
    return text
  }

  /// Replaces the selection by text.
  mutating func insert(_ text: String, kind: EditHistory.Kind) {
    replace(selection ?? caret..<caret, with: text, kind: kind)
  }

  /// Undoes the last step; false where there is none.
  @discardableResult package mutating func undo() -> Bool {
    guard let step = history.undo() else { return false }
    apply(step.edit.inverse, caret: step.caretBefore)
    return true
  }

  /// Redoes the step undone last; false where there is none.
  @discardableResult package mutating func redo() -> Bool {
    guard let step = history.redo() else { return false }
    apply(step.edit, caret: step.edit.start + step.edit.inserted.count)
    return true
  }
}

extension TextBuffer {
  /// Replaces characters; those at the seams may combine, such as a vowel with its consonant.
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

/// Edit that a key makes in any text field.
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
  /// Text of the character in a field: a space for a line break or tab.
  var shown: SafeText { SafeText(String(self)) }

  /// Whether the character cannot be typed: it contains a control character, or is invisible.
  var isUnfit: Bool { hasControl || shown.isEmpty }

  private var hasControl: Bool {
    unicodeScalars.contains { $0.properties.generalCategory == .control }
  }

  /// Returns the single character that both form (UAX #29); nil where they stay two.
  func joined(with next: Character) -> Character? {
    let both = String(self) + String(next)
    guard both.count == 1, let joined = both.first, !joined.hasControl else { return nil }
    return joined
  }
}

/// Motion of the caret; also the extent of a deletion.
package enum Motion: Sendable, CaseIterable {
  case left, right
  case wordLeft, wordRight
  case lineStart, lineEnd
  case textStart, textEnd
}

extension [Character] {
  /// Returns the offset that `motion` leads to from `index`; `index` itself at the end.
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
