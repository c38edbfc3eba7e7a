internal import EditorKit
import MarketStrings
package import MarketViewModels
internal import SafeText
package import TerminalKit

extension SearchModel: ViewedLayer {
  package func view(in frame: Frame) -> SearchView { SearchView(model: self, frame: frame) }
}

/// The line that is searched for, on the bottom bar; the products follow above it.
package struct SearchView: LayerView {
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
  package var isText: Bool { true }

  package func draw(on canvas: inout Canvas) {
    let bar = frame.layout.bottomBar
    canvas.fill(bar, style: context.theme.bar)
    FieldLine(
      label: context.strings[.search], editor: model.editor,
      rect: bar.inset(left: 1, right: 1), hint: context.strings[.searchHint],
      labelStyle: context.theme.barSecondary
    ).draw(on: &canvas, context)
  }

  package func edit(_ key: KeyPress) -> Bool {
    guard let change = LineKeys.change(for: key) else { return false }
    model.edit { change.apply(to: &$0) }
    return true
  }

  package func paste(_ text: String) -> Bool {
    model.edit { $0.paste(text) }
    return true
  }
}
