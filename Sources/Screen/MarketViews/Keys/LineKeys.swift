internal import EditorKit
import MarketStrings
internal import TerminalKit

/// Row of text-editing keys in the help.
package struct EditingRow {
  var keys: [KeyPress]
  let words: Phrase
}

/// Table of text-editing keys with their effects.
struct EditingTable<Effect> {
  private let entries: [(row: EditingRow, effect: Effect)]
  private let effects: [KeyPress: Effect]

  init(_ entries: [(keys: [KeyPress], words: Phrase, effect: Effect)]) {
    self.entries = entries.map { (EditingRow(keys: $0.keys, words: $0.words), $0.effect) }
    effects = Dictionary(
      entries.flatMap { entry in entry.keys.map { ($0, entry.effect) } },
      uniquingKeysWith: { first, _ in first })
  }

  var rows: [EditingRow] { entries.map(\.row) }

  func effect(of key: KeyPress) -> Effect? { effects[key] }
}

/// Keys that edit a line of text, equal in all fields.
enum LineKeys {
  private enum Effect {
    case move(Motion)
    case delete(Motion)
    case undo
    case redo
  }

  private static let table = EditingTable<Effect>([
    (
      [KeyPress(.left, .control), .alt("b"), KeyPress(.left, .alt)], .editWordLeft, .move(.wordLeft)
    ),
    (
      [KeyPress(.right, .control), .alt("f"), KeyPress(.right, .alt)], .editWordRight,
      .move(.wordRight)
    ),
    ([.home, .control("a"), KeyPress(.home, .control)], .editLineStart, .move(.lineStart)),
    ([.end, .control("e"), KeyPress(.end, .control)], .editLineEnd, .move(.lineEnd)),
    ([.left, .control("b")], .keyLeft, .move(.left)),
    ([.right, .control("f")], .keyRight, .move(.right)),
    (
      [.control("w"), KeyPress(.backspace, .alt), KeyPress(.backspace, .control)],
      .editDeleteWordLeft, .delete(.wordLeft)
    ),
    ([.alt("d"), KeyPress(.delete, .control)], .editDeleteWordRight, .delete(.wordRight)),
    ([.control("u")], .editDeleteToStart, .delete(.lineStart)),
    ([.control("k")], .editDeleteToEnd, .delete(.lineEnd)),
    ([.backspace, .control("h")], .editDeleteLeft, .delete(.left)),
    ([.delete, .control("d")], .editDeleteRight, .delete(.right)),
    ([.control("_")], .editUndo, .undo),
    ([.alt("_")], .editRedo, .redo),
  ])

  /// Rows for the help.
  static var rows: [EditingRow] {
    [EditingRow(keys: [KeyPress(.left, .shift), KeyPress(.right, .shift)], words: .editSelect)]
      + table.rows
  }

  /// Returns the edit of a key; nil where it is no editing key.
  ///
  /// With Shift, a motion extends the selection.
  static func change(for key: KeyPress) -> TextChange? {
    if let character = key.text { return TextChange { $0.type(String(character)) } }
    let isSelecting = key.modifiers.contains(.shift)
    let plain = KeyPress(key.key, key.modifiers.subtracting(.shift))
    switch table.effect(of: plain) {
    case .move(let motion): return TextChange { $0.move(motion, selecting: isSelecting) }
    case .delete(let motion) where !isSelecting: return TextChange { $0.delete(motion) }
    case .undo where !isSelecting: return TextChange { $0.undo() }
    case .redo where !isSelecting: return TextChange { $0.redo() }
    case .delete, .undo, .redo, nil: return nil
    }
  }
}

/// Keys of a password, which is only edited at its end.
enum SecretKeys {
  private enum Effect {
    case deleteLast
    case wipe
  }

  private static let table = EditingTable<Effect>([
    ([.backspace, .control("h")], .editDeleteLeft, .deleteLast),
    ([.control("u"), .control("w")], .editWipe, .wipe),
  ])

  /// Rows for the help.
  static var rows: [EditingRow] { table.rows }

  static func change(for key: KeyPress) -> ((inout PasswordEditor) -> Void)? {
    if let character = key.text { return { $0.type(String(character)) } }
    switch table.effect(of: key) {
    case .deleteLast: return { $0.deleteLast() }
    case .wipe: return { $0.wipe() }
    case nil: return nil
    }
  }
}
