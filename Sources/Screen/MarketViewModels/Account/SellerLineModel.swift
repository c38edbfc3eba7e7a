package import EditorKit
internal import MarketModel
import Observation

/// One line that somebody is asked for who sells: the name, then how to be reached.
@Observable
package final class SellerLineModel: LineLayer, Dialog {
  /// The field with the answer in it.
  package let reply = Reply<LineEditor>()
  package nonisolated enum Subject: Hashable, Sendable {
    /// The name to sell under; `isChange` says whether it takes the place of an earlier one.
    case name(isChange: Bool)
    /// May stay empty.
    case contact
  }

  package let subject: Subject
  package private(set) var editor: LineEditor
  /// Whether what was typed is no contact, until it changes.
  package private(set) var isRefused = false

  init(_ subject: Subject, _ editor: LineEditor) {
    self.subject = subject
    self.editor = editor
  }

  /// A field for a name, which begins with this one.
  static func nameEditor(_ name: String = "") -> LineEditor {
    LineEditor(name, limit: TextLimit.sellerName.characters.upperBound)
  }

  /// A field for a contact, which begins with this one.
  static func contactEditor(_ contact: SellerContact?) -> LineEditor {
    LineEditor(contact?.text ?? "", limit: TextLimit.contact.characters.upperBound)
  }

  package func edit(_ change: (inout LineEditor) -> Void) {
    change(&editor)
    if isRefused { isRefused = false }
  }

  /// Takes the line on; an empty name is none.
  package func confirm() {
    switch subject {
    case .name: if !editor.text.trimmed.isEmpty { reply.give(editor) }
    case .contact:
      if SellerChange.Contact(entered: editor.text) == nil {
        isRefused = true
      } else {
        reply.give(editor)
      }
    }
  }

  package func cancel() { reply.give(nil) }
}
