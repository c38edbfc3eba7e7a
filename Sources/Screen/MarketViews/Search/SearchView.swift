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
    let failure = failure
    canvas.write(
      failure, at: line.origin.moved(columns: line.columns - failure.columns),
      style: context.theme.barWarning)
  }

  private var line: CellRect {
    let margin = ScreenLayout.margin
    return frame.layout.bottomBar.inset(left: margin, right: margin)
  }

  /// The line that is typed, left of why there are no results.
  package var field: FieldLine {
    let columns = failure.isEmpty ? 0 : failure.columns + 2
    return FieldLine(
      label: context.strings[.search], editor: model.editor, rect: line.splitRight(columns).rest,
      hint: context.strings[.searchHint], labelStyle: context.theme.barSecondary)
  }

  /// Why there are no results, and the key that asks again.
  private var failure: SafeText {
    guard let error = model.failure else { return .empty }
    return ErrorText.withRetry(
      error, context.strings, key: KeyName.text(.enter), columns: line.columns / 2)
  }
}

extension Phrase {
  static var searchHint: Phrase { .named() }
}
