import MarketStrings
package import MarketViewModels
internal import SafeTextKit
package import TerminalKit

/// List that covers the body, with facts about the selected item beside it in wide windows and below it
/// in others.
@MainActor package protocol FullListView: SectionedListView {
  var listLayout: FullListLayout { get }
  /// Item in the preview; nil for none.
  var previewed: Model.Item? { get }
  /// Returns the facts about an item, its name first.
  func facts(of item: Model.Item) -> [ListFact]
  /// Closes the view and goes back.
  func leave()
  /// Draws the preview of an item; by default its facts.
  func drawPreview(of item: Model.Item, in rect: CellRect, on canvas: inout Canvas)
}

/// Layout of a list that covers the body.
package struct FullListLayout {
  var list: CellRect
  var divider = CellRect.zero
  /// Area of the preview: beside the rows in wide windows, below few rows in others; else empty.
  var preview = CellRect.zero
  /// Area below the rows, with a rule above.
  var foot = CellRect.zero

  /// Minimum columns of the body for a preview beside the rows.
  private static let sideBySideColumns = 120
  /// Minimum rows of the foot with its rule, and minimum rows of the body for a foot.
  private static let (footRows, rowsWithFoot) = (3, 8)
  /// Minimum rows of the foot for a preview.
  private static let previewRows = 8

  /// Creates a layout without rows, for the preview alone.
  init(onlyPreviewIn body: CellRect) {
    list = .zero
    preview = body.inset(left: ScreenLayout.margin, right: ScreenLayout.margin)
  }

  /// Creates a layout for `rows` rows; the foot gets those left over.
  init(_ frame: Frame, rows: Int = .max) {
    let body = frame.body
    if body.columns >= Self.sideBySideColumns, !frame.context.isPlain {
      let (list, side) = body.splitLeft(body.columns * 3 / 5)
      let (divider, preview) = side.inset(left: 1).splitLeft(1)
      (self.list, self.divider) = (list, divider)
      self.preview = preview.inset(left: 1, right: 1)
    } else if body.rows >= Self.rowsWithFoot {
      let free = min(max(Self.footRows, body.rows - rows - 1), body.rows / 2)
      (list, foot) = body.splitBottom(free)
      if free >= Self.previewRows {
        preview = foot.inset(left: ScreenLayout.margin, top: 1, right: ScreenLayout.margin)
      }
    } else {
      list = body
    }
  }
}

extension FullListView {
  package func leave() { close() }

  package var coversBody: Bool { true }
  package var takesCounts: Bool { true }
  package var listLayout: FullListLayout { FullListLayout(frame, rows: allRows) }
  package var previewed: Model.Item? { list.selected }
  package var listArea: CellRect { listLayout.list }

  /// Rows by which one notch of the wheel moves.
  private var wheelRows: Int { 3 }

  package func scroll(by notches: Int) -> Bool {
    move(notches < 0 ? .up : .down, times: abs(notches) * wheelRows)
    return true
  }

  /// Selects the clicked item; a click on the selected one chooses it.
  package func press(at point: CellPoint) -> Bool {
    guard let number = number(at: point) else { return false }
    if number == list.selectedNumber { choose() } else { model.select(number: number) }
    return true
  }

  package func draw(on canvas: inout Canvas) {
    drawList(on: &canvas)
    let layout = listLayout
    canvas.verticalRule(
      at: layout.divider.origin, rows: layout.divider.rows, style: context.theme.rule)
    canvas.horizontalRule(
      at: layout.foot.origin, columns: layout.foot.columns, style: context.theme.rule)
    if let item = previewed, !layout.preview.isEmpty {
      drawPreview(of: item, in: layout.preview, on: &canvas)
    }
    if let item = list.selected, !layout.foot.isEmpty, layout.preview.isEmpty {
      let margin = ScreenLayout.margin
      _ = draw(
        Array(facts(of: item).dropFirst()),
        in: layout.foot.inset(left: margin, top: 1, right: margin), on: &canvas)
    }
  }

  package func drawPreview(of item: Model.Item, in rect: CellRect, on canvas: inout Canvas) {
    _ = draw(facts(of: item), in: rect, on: &canvas)
  }

  /// Writes facts, each in as many lines as it needs.
  ///
  /// - Returns: the rest of the area.
  func draw(_ facts: [ListFact], in rect: CellRect, on canvas: inout Canvas) -> CellRect {
    var lines = rect
    for fact in facts {
      let wrapped = fact.text.wrapped(toColumns: max(1, lines.columns - fact.indent))
      for line in wrapped.isEmpty ? [.empty] : wrapped where !lines.isEmpty {
        canvas.write(line, at: lines.origin.moved(columns: fact.indent), style: fact.style)
        lines = lines.inset(top: 1)
      }
    }
    return lines
  }
}
