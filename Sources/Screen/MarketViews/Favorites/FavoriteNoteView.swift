internal import EditorKit
import MarketStrings
package import MarketViewModels
internal import SafeTextKit
package import TerminalKit

extension FavoriteNoteModel: ViewedLayer {
  package func view(in frame: Frame) -> FavoriteNoteView {
    FavoriteNoteView(model: self, frame: frame)
  }
}

extension FavoritesSearchModel: ViewedLayer {
  package func view(in frame: Frame) -> FavoritesSearchView {
    FavoritesSearchView(model: self, frame: frame)
  }
}

/// The line in which a note is written to what is kept.
package struct FavoriteNoteView: LineView {
  package let model: FavoriteNoteModel
  package let frame: Frame

  package static let bindings = BindingTable<FavoriteNoteView>([
    Binding("confirm", [.enter], .keyConfirm, footer: 10) { view in
      view.close()
      view.model.confirm()
    },
    SharedBindings.cancel(footer: 20) { $0.close() },
  ])
  package static var takesOwnKeys: Bool { false }

  package func draw(on canvas: inout Canvas) { dialog.draw(on: &canvas) }

  package var field: FieldLine { dialog.field }

  private var dialog: SubjectDialog {
    SubjectDialog(
      title: context.strings[.keyNote], subject: model.name, label: .empty, editor: model.editor,
      hint: context.strings[.favoriteNoteHint], frame: frame)
  }
}

/// The line by whose words the list is narrowed, above the bottom bar.
package struct FavoritesSearchView: LineView {
  package let model: FavoritesSearchModel
  package let frame: Frame

  package static let bindings = BindingTable<FavoritesSearchView>([
    Binding("confirm", [.enter], .keyConfirm, footer: 10) { $0.close() },
    SharedBindings.cancel(footer: 20) { view in
      view.model.cancel()
      view.close()
    },
  ])
  package static var takesOwnKeys: Bool { false }

  package func draw(on canvas: inout Canvas) {
    canvas.fill(frame.body.splitBottom(1).bottom, style: context.theme.bar)
    field.draw(on: &canvas, context)
  }

  package var field: FieldLine {
    let margin = ScreenLayout.margin
    return FieldLine(
      label: context.strings[.search], editor: model.editor,
      rect: frame.body.splitBottom(1).bottom.inset(left: margin, right: margin), hint: .empty,
      labelStyle: context.theme.barSecondary)
  }
}

extension Phrase {
  static var favoriteNoteHint: Phrase { .named() }
}
