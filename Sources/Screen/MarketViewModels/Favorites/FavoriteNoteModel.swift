package import EditorKit
internal import MarketModel
import Observation
package import SafeTextKit

/// The line in which a note is written to what is kept.
@Observable
package final class FavoriteNoteModel: LineLayer {
  package private(set) var editor: LineEditor
  /// What it is written to.
  package let name: SafeText

  private let didEnd: (String?) -> Void

  /// A question that ends with the note, or with nothing where it stays as it was.
  init(_ item: FavoriteItem, didEnd: @escaping (String?) -> Void) {
    self.didEnd = didEnd
    editor = LineEditor(item.note, limit: FavoriteNoteRules.longest)
    name =
      switch item {
      case .product(let product): SafeText(product.product.name)
      case .seller(let seller): SafeText(seller.seller.name)
      case .search(let search): SafeText(search.name)
      case .triggered(let triggered): SafeText(triggered.name)
      }
  }

  package func edit(_ change: (inout LineEditor) -> Void) { change(&editor) }

  package func confirm() { didEnd(editor.text.trimmed) }
}

/// The line by whose words the list of what is kept is narrowed; the list follows as one types.
@Observable
package final class FavoritesSearchModel: LineLayer {
  package private(set) var editor: LineEditor

  private let favorite: FavoritesListModel
  private let wordsBefore: String

  private static let longest = 200

  init(_ favorite: FavoritesListModel) {
    self.favorite = favorite
    wordsBefore = favorite.words
    editor = LineEditor(favorite.words, limit: Self.longest)
  }

  package func edit(_ change: (inout LineEditor) -> Void) {
    change(&editor)
    favorite.narrow(to: editor.text)
  }

  package func cancel() { favorite.narrow(to: wordsBefore) }
}
