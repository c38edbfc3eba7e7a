package import EditorKit
internal import MarketModel
import Observation

/// The question under which name somebody sells.
@Observable
package final class SellerNameModel: LineLayer {
  package private(set) var editor: LineEditor
  /// Whether another name takes the place of an earlier one.
  package let isChange: Bool

  private let didEnd: (LineEditor?) -> Void

  /// A question that ends with the field with a name in it, or with nothing.
  init(_ editor: LineEditor, isChange: Bool, didEnd: @escaping (LineEditor?) -> Void) {
    self.editor = editor
    self.isChange = isChange
    self.didEnd = didEnd
  }

  /// A field for a name, which begins with this one.
  static func editor(_ name: String = "") -> LineEditor {
    LineEditor(name, limit: TextLimit.sellerName.characters.upperBound)
  }

  package func edit(_ change: (inout LineEditor) -> Void) { change(&editor) }

  /// Takes the name on; an empty one is none.
  package func confirm() {
    if !editor.text.trimmed.isEmpty { didEnd(editor) }
  }

  package func cancel() { didEnd(nil) }
}
