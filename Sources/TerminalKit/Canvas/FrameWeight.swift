/// The lines that a frame is made of.
package enum FrameWeight: Hashable, Sendable {
  /// Thick lines: what is selected.
  case heavy
  /// Thin lines with round corners: what asks something.
  case rounded

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
    }
  }
}
