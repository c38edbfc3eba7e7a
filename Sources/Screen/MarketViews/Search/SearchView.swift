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
    let line = bar.inset(left: 1, right: 1)
    let failure = failure(columns: line.columns / 2)
    let (field, rest) = line.splitRight(failure.isEmpty ? 0 : failure.columns + 2)
    FieldLine(
      label: context.strings[.search], editor: model.editor, rect: field,
      hint: context.strings[.searchHint], labelStyle: context.theme.barSecondary
    ).draw(on: &canvas, context)
    canvas.write(failure, at: rest.origin.moved(columns: 2), style: context.theme.barWarning)
  }

  /// Why there are no results, and the key that asks again.
  private func failure(columns: Int) -> SafeText {
    guard let error = model.failure else { return .empty }
    return ErrorText.withRetry(
      error, context.strings, key: KeyName.text(.enter), columns: columns)
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

extension Phrase {
  static var searchHint: Phrase { .named() }
}
