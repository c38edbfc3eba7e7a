/// Set of the block characters that a terminal shows well.
package enum PictureSymbols: String, CaseIterable, Hashable, Sendable {
  /// Halves only, which are in every font.
  case half
  /// Quadrants without halves, which take two columns where ambiguous characters do.
  case corner
  /// Halves, quadrants and bars of eighths, which are in nearly every font.
  case quadrant
  /// These and sextants, 2 × 3 dots (Unicode 13), which newer terminals draw without a font.
  case sextant
  /// These and octants, 2 × 4 dots (Unicode 16).
  case octant
  /// Braille: 2 × 4 dots, set or not, without a background colour.
  case braille

  /// Pixels per cell that a picture should have, square for a cell twice as high as wide.
  package var pixelsPerCell: (width: Int, height: Int) {
    self == .braille
      ? (BrailleTiles.columns, BrailleTiles.rows) : (CellDivision.columns, CellDivision.rows)
  }

  /// Divisions of a cell that these characters show.
  var divisions: [CellDivision] {
    switch self {
    case .half: [.half]
    case .corner: [.corners]
    case .quadrant: [.quadrants, .rowBars, .columnBars]
    case .sextant: Self.quadrant.divisions + [.sextants]
    case .octant: Self.sextant.divisions + [.octants]
    case .braille: []
    }
  }
}
