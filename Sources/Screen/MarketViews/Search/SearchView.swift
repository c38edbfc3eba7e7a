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
    for hint in hints {
      canvas.write(hint.key, at: hint.rect.origin, style: context.theme.barAccent)
      canvas.write(
        hint.word, at: hint.rect.origin.moved(columns: hint.key.columns + 1),
        style: context.theme.barSecondary)
    }
  }

  package func press(at point: CellPoint) -> Bool {
    guard let hint = hints.first(where: { $0.rect.contains(point) }) else {
      return moveCaret(to: point)
    }
    hint.row.run()
    return true
  }

  /// A key with its word at the right end of the line.
  private struct Hint {
    let row: KeyRow
    let key: SafeText
    let word: SafeText
    let rect: CellRect
  }

  /// Below this width the line is needed for what is typed.
  private static let columnsWithHints = 60
  private static let gap = 2

  /// The ways out; why there are no results stands in their place.
  private var hints: [Hint] {
    guard failure.isEmpty, line.columns >= Self.columnsWithHints else { return [] }
    var end = line.maxColumn
    let hints = rows.filter { $0.footer != nil }.reversed().map { row in
      let key = row.keys.first.map(context.name) ?? .empty
      let word = context.strings[row.words]
      let columns = key.columns + 1 + word.columns
      defer { end -= columns + Self.gap }
      return Hint(
        row: row, key: key, word: word,
        rect: CellRect(column: end - columns, row: line.minRow, columns: columns, rows: 1))
    }
    return hints.reversed()
  }

  private var line: CellRect {
    let margin = ScreenLayout.margin
    return frame.layout.bottomBar.inset(left: margin, right: margin)
  }

  /// The line that is typed, left of the keys or of why there are no results.
  package var field: FieldLine {
    let start = hints.first?.rect.minColumn ?? line.maxColumn - failure.columns
    let columns = start == line.maxColumn ? 0 : line.maxColumn - start + Self.gap
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
