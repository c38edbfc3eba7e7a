package import EditorKit
internal import MarketModel
import Observation
package import SafeText

/// The line in which a note is written to what is kept.
@Observable
package final class KeptNoteModel: LineLayer {
  package private(set) var editor: LineEditor
  /// What it is written to.
  package let name: SafeText

  private let didEnd: (String?) -> Void

  /// A question that ends with the note, or with nothing where it stays as it was.
  init(_ item: KeptItem, didEnd: @escaping (String?) -> Void) {
    self.didEnd = didEnd
    editor = LineEditor(item.note, limit: KeptNote.longest)
    name =
      switch item {
      case .product(let product): SafeText(product.product.name)
      case .seller(let seller): SafeText(seller.seller.name)
      case .search(let search): SafeText(search.name)
      case .hit(let hit): SafeText(hit.name)
      }
  }

  package func edit(_ change: (inout LineEditor) -> Void) { change(&editor) }

  package func confirm() { didEnd(editor.text.trimmed) }
}

/// The line by whose words the list of what is kept is narrowed; the list follows as one types.
@Observable
package final class KeptSearchModel: LineLayer {
  package private(set) var editor: LineEditor

  private let kept: KeptModel
  private let wordsBefore: String

  private static let longest = 200

  init(_ kept: KeptModel) {
    self.kept = kept
    wordsBefore = kept.words
    editor = LineEditor(kept.words, limit: Self.longest)
  }

  package func edit(_ change: (inout LineEditor) -> Void) {
    change(&editor)
    kept.narrow(to: editor.text)
  }

  package func cancel() { kept.narrow(to: wordsBefore) }
}
