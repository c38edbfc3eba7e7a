internal import MarketViewModels
internal import SafeTextKit
internal import TerminalKit

/// The drafts above the seller's own products.
struct DraftListView {
  let shelf: DraftListState
  let selling: SellingModel?
  let rect: CellRect
  let context: RenderContext

  func draw(on canvas: inout Canvas) {
    let rule = rect.splitBottom(1).bottom
    list.draw(on: &canvas, in: rows)
    canvas.horizontalRule(at: rule.origin, columns: rule.columns, style: context.theme.rule)
  }

  /// Moves among the drafts, and between them and the first products; true where that was all of
  /// the move.
  func move(_ move: Viewport.Move, times: Int, isInFirstRow: Bool) -> Bool {
    guard let drafts = selling?.drafts else { return false }
    switch (move, shelf.selected != nil) {
    case (.up, true): drafts.move { $0.move(by: -times) }
    case (.down, true): drafts.move { $0.move(by: times) }
    case (.first, true): drafts.move { $0.enter(at: 0) }
    case (.pageUp, true), (.halfPageUp, true), (.left, true), (.right, true): break
    case (.pageDown, true), (.halfPageDown, true), (.last, true):
      drafts.move { $0.leave() }
      return false
    case (.up, false) where isInFirstRow: drafts.move { $0.enter() }
    case (.first, false) where isInFirstRow: drafts.move { $0.enter(at: 0) }
    case (_, false): return false
    }
    return true
  }

  /// The selection goes back to the products.
  func leave() { selling?.drafts.move { $0.leave() } }

  /// Selects a draft; a second click opens it.
  func press(at point: CellPoint) {
    guard let selling, let draft = draft(at: point) else { return }
    if draft == shelf.selected {
      selling.openDraft()
    } else {
      selling.drafts.move { $0.enter(at: draft) }
    }
  }

  /// The index of the draft at a point.
  private func draft(at point: CellPoint) -> Int? {
    list.line(at: point, in: rows)
  }

  private var rows: CellRect { rect.inset(bottom: 1) }

  private var list: ChoiceBox {
    ChoiceBox(
      title: .empty, lines: shelf.drafts.map { DraftLine.texts($0, context) },
      selected: shelf.selected, margin: 1, bounds: rect, context: context)
  }
}
