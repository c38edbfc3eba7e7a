/// Line style of a frame.
package enum FrameWeight: Hashable, Sendable {
  /// Thick lines, for the selection.
  case heavy
  /// Thin lines with round corners, for dialogs.
  case rounded
  /// Dashed lines, for an empty slot.
  case dashed

  struct Symbols {
    let horizontal: Symbol
    let vertical: Symbol
    let topLeft: Symbol
    let topRight: Symbol
    let bottomLeft: Symbol
    let bottomRight: Symbol
  }

  var symbols: Symbols {
    switch self {
    case .heavy:
      Symbols(
        horizontal: "━", vertical: "┃", topLeft: "┏", topRight: "┓", bottomLeft: "┗",
        bottomRight: "┛")
    case .rounded:
      Symbols(
        horizontal: "─", vertical: "│", topLeft: "╭", topRight: "╮", bottomLeft: "╰",
        bottomRight: "╯")
    case .dashed:
      Symbols(
        horizontal: "╌", vertical: "╎", topLeft: "╭", topRight: "╮", bottomLeft: "╰",
        bottomRight: "╯")
    }
  }
}

// Frames and rules of a canvas.
extension Canvas {
  /// Draws a frame just inside the edges of `rect`; nothing where that is thinner than two cells.
  package mutating func frame(_ rect: CellRect, style: Style, weight: FrameWeight = .rounded) {
    guard !isLinear, rect.columns >= 2, rect.rows >= 2 else { return }
    let symbols = weight.symbols
    let right = rect.maxColumn - 1
    let bottom = rect.maxRow - 1
    for row in [rect.minRow, bottom] {
      horizontalRule(
        at: CellPoint(column: rect.minColumn + 1, row: row), columns: rect.columns - 2,
        style: style, symbol: symbols.horizontal)
    }
    for column in [rect.minColumn, right] {
      verticalRule(
        at: CellPoint(column: column, row: rect.minRow + 1), rows: rect.rows - 2, style: style,
        symbol: symbols.vertical)
    }
    put(symbols.topLeft, at: rect.origin, style: style)
    put(symbols.topRight, at: CellPoint(column: right, row: rect.minRow), style: style)
    put(symbols.bottomLeft, at: CellPoint(column: rect.minColumn, row: bottom), style: style)
    put(symbols.bottomRight, at: CellPoint(column: right, row: bottom), style: style)
  }

  package mutating func horizontalRule(
    at point: CellPoint, columns: Int, style: Style, symbol: Symbol = .horizontalRule
  ) {
    let rect = CellRect(origin: point, size: CellSize(columns: columns, rows: 1))
    fill(rect, with: symbol, style: style)
  }

  package mutating func verticalRule(
    at point: CellPoint, rows: Int, style: Style, symbol: Symbol = .verticalRule
  ) {
    let rect = CellRect(origin: point, size: CellSize(columns: 1, rows: rows))
    fill(rect, with: symbol, style: style)
  }
}
