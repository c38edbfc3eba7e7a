import MarketStrings
package import MarketViewModels
internal import SafeTextKit
package import TerminalKit

/// List that covers everything between the bars, with what is known of the selected item beside it in
/// wide windows and under it in others.
@MainActor package protocol FullListView: SectionedListView {
  var listLayout: FullListLayout { get }
  /// The item that the preview shows; nil for none.
  var previewed: Model.Item? { get }
  /// What is known of an item, the name first.
  func facts(of item: Model.Item) -> [ListFact]
  /// Goes back to where it was opened.
  func leave()
  /// Draws the selected item as large as there is room; the facts unless a view has more.
  func drawPreview(of item: Model.Item, in rect: CellRect, on canvas: inout Canvas)
}

/// Layout of a list that covers everything between the bars.
package struct FullListLayout {
  var list: CellRect
  var divider = CellRect.zero
  /// What is known of the selected item with its picture: beside the rows in wide windows, under few
  /// rows in others; else empty.
  var preview = CellRect.zero
  /// What stands under the rows, with the rule above it.
  var foot = CellRect.zero

  /// From this width on the preview stands beside the rows.
  private static let sideBySideColumns = 120
  /// Least lines under the rows, with the rule above them, and rows of a window that has room for these.
  private static let (footRows, rowsWithFoot) = (3, 8)
  /// From so many lines on the preview stands under the rows.
  private static let previewRows = 8

  /// A layout without rows, all of it the preview's.
  init(onlyPreviewIn body: CellRect) {
    list = .zero
    preview = body.inset(left: ScreenLayout.margin, right: ScreenLayout.margin)
  }

  /// A layout for so many rows of the list: what these leave free is the foot's.
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

  /// Rows that a notch of the wheel moves by.
  private var wheelRows: Int { 3 }

  package func scroll(by notches: Int) -> Bool {
    move(notches < 0 ? .up : .down, times: abs(notches) * wheelRows)
    return true
  }

  /// A click selects an item; one on what is selected chooses it.
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
  /// - Returns: what is left of the area.
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
