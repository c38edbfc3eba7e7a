internal import EditorKit
internal import TerminalKit

/// The keys that edit a line of text, the same in every field.
enum LineKeys {
  /// What a key does to a line; nil where it is no editing key.
  static func change(for key: KeyPress) -> TextChange? {
    if let character = key.text { return TextChange { $0.type(String(character)) } }
    if let motion = motion(for: key) {
      let selecting = key.modifiers.contains(.shift)
      return TextChange { $0.move(motion, selecting: selecting) }
    }
    if let motion = deletion(for: key) { return TextChange { $0.delete(motion) } }
    switch key {
    case .control("_"): return TextChange { $0.undo() }
    case .alt("_"): return TextChange { $0.redo() }
    default: return nil
    }
  }

  /// Where a key moves the caret.
  private static func motion(for key: KeyPress) -> Motion? {
    let byWord = !key.modifiers.isDisjoint(with: [.control, .alt])
    switch key.key {
    case .left: return byWord ? .wordLeft : .left
    case .right: return byWord ? .wordRight : .right
    case .home: return .lineStart
    case .end: return .lineEnd
    default: break
    }
    switch key {
    case .control("a"): return .lineStart
    case .control("e"): return .lineEnd
    case .control("b"): return .left
    case .control("f"): return .right
    case .alt("b"): return .wordLeft
    case .alt("f"): return .wordRight
    default: return nil
    }
  }

  /// How far a key deletes.
  private static func deletion(for key: KeyPress) -> Motion? {
    switch key {
    case .backspace, .control("h"): .left
    case .delete, .control("d"): .right
    case .control("w"), KeyPress(.backspace, .alt), KeyPress(.backspace, .control): .wordLeft
    case .alt("d"), KeyPress(.delete, .control): .wordRight
    case .control("u"): .lineStart
    case .control("k"): .lineEnd
    default: nil
    }
  }
}

/// The keys of a password: one types and deletes at its end.
enum SecretKeys {
  static func change(for key: KeyPress) -> ((inout SecretEditor) -> Void)? {
    if let character = key.text { return { $0.type(String(character)) } }
    switch key {
    case .backspace, .control("h"): return { $0.deleteLast() }
    case .control("u"), .control("w"): return { $0.wipe() }
    default: return nil
    }
  }
}
