package import EditorKit
import Observation

/// The question under which name a draft is kept as a template.
@Observable
package final class TemplateNameModel: LineLayer {
  package private(set) var editor: LineEditor

  private let didEnd: (String?) -> Void

  private static let maxNameLength = 60

  /// A question that begins with a name and ends with one, or with nothing.
  init(_ name: String, didEnd: @escaping (String?) -> Void) {
    editor = LineEditor(String(name.prefix(Self.maxNameLength)), limit: Self.maxNameLength)
    self.didEnd = didEnd
  }

  package func edit(_ change: (inout LineEditor) -> Void) { change(&editor) }

  /// Takes the name; false where there is none yet.
  package func confirm() -> Bool {
    let name = editor.text.trimmed
    guard !name.isEmpty else { return false }
    didEnd(name)
    return true
  }

  package func cancel() { didEnd(nil) }
}
