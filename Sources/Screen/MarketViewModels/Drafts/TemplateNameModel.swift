package import EditorKit
import Observation

/// The question under which name a draft is kept as a template.
@Observable
package final class TemplateNameModel: LineLayer, Dialog {
  package let reply = Reply<String>()
  package private(set) var editor: LineEditor

  private static let maxNameLength = 60

  /// A question that begins with a name.
  init(_ name: String) {
    editor = LineEditor(String(name.prefix(Self.maxNameLength)), limit: Self.maxNameLength)
  }

  package func edit(_ change: (inout LineEditor) -> Void) { change(&editor) }

  /// Takes the name; false where there is none yet.
  package func confirm() -> Bool {
    let name = editor.text.trimmed
    guard !name.isEmpty else { return false }
    reply.give(name)
    return true
  }

  package func cancel() { reply.give(nil) }
}
