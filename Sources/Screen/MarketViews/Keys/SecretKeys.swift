internal import EditorKit
internal import TerminalKit

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
