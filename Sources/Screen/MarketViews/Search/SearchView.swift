internal import EditorKit
import MarketStrings
package import MarketViewModels
internal import SafeText
package import TerminalKit

extension SearchModel: ViewedLayer {
  package func view(in frame: Frame) -> SearchView { SearchView(model: self, frame: frame) }
}

/// The line that is searched for, on the bottom bar; the products follow above it.
package struct SearchView: LineView {
  package let model: SearchModel
  package let frame: Frame

  package static let bindings = BindingTable<SearchView>(
    [
      Binding("confirm", [.enter], .keyConfirm, footer: 10) { view in
        view.model.confirm()
        view.close()
      },
      Binding("cancel", [.escape], .keyCancel, footer: 20) { view in
        view.model.cancel()
        view.close()
      },
      SharedBindings.quit(),
    ])
  package static var takesOwnKeys: Bool { false }

  package var coversBottomBar: Bool { true }

  package func draw(on canvas: inout Canvas) {
    canvas.fill(frame.layout.bottomBar, style: context.theme.bar)
    field.draw(on: &canvas, context)
  }

  package var field: FieldLine {
    FieldLine(
      label: context.strings[.search], editor: model.editor,
      rect: frame.layout.bottomBar.inset(left: 1, right: 1), hint: context.strings[.searchHint],
      labelStyle: context.theme.barSecondary)
  }
}

extension Phrase {
  static var searchHint: Phrase { .named() }
}
