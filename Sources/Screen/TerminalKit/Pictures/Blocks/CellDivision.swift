/// Division of a cell into dots, each of which a character shows in its foreground or background colour.
struct CellDivision: Sendable {
  /// Pixels of a cell, in which dots are measured.
  static let columns = 4
  static let rows = 8
  static let area = Float(columns * rows)

  let shape: Shape
  let steps: [Step]

  enum Shape {
    /// Two columns and this many rows of dots, left to right and top to bottom.
    case grid(rows: Int)
    /// One dot for each row of pixels.
    case rows
    /// One dot for each column of pixels.
    case columns
  }

  /// Step from one set of foreground dots to the next.
  struct Step {
    /// Dot that changes.
    let dot: Int
    /// 1 where the dot becomes foreground, -1 where it becomes background.
    let sign: Float
    /// Pixels of the foreground.
    let area: Float
    /// Character of the set; 0 for none.
    let character: UInt32
    /// Character of the opposite set; 0 for none.
    let opposite: UInt32
    /// Factor from the squared sum of the foreground's differences from the mean to the error that two
    /// colours save; 0 for a set without a character.
    let weight: Float

    init(dot: Int, sign: Float = 1, area: Float, character: UInt32, opposite: UInt32 = 0) {
      self.dot = dot
      self.sign = sign
      self.area = area
      self.character = character
      self.opposite = opposite
      let (area, all) = (self.area, CellDivision.area)
      weight = character == 0 ? 0 : all / (area * (all - area))
    }
  }

  static let quadrants = grid(rows: 2) { quadrantScalars[$0] }
  /// Quadrants without halves; with the opposite they are all halves.
  static let corners = grid(rows: 2) {
    [0b0101, 0b0011, 0b1010, 0b1100].contains($0) ? 0 : quadrantScalars[$0]
  }
  static let sextants = grid(rows: 3, sextant)
  static let octants = grid(rows: 4) { octantScalars[$0] }
  /// Bars from the left, of quarters, but halves, which are quadrants; there are no bars from the right.
  static let columnBars = CellDivision(
    shape: .columns,
    steps: zip(1...3, "▎▌▊".unicodeScalars).map { count, bar in
      let character = count == columns / 2 ? 0 : bar.value
      return Step(dot: count - 1, area: Float(count * rows), character: character)
    })
  /// Bars from the bottom, of eighths, but halves, which are quadrants.
  static let rowBars = CellDivision(
    shape: .rows,
    steps: zip(1...7, "▁▂▃▄▅▆▇".unicodeScalars).map { count, bar in
      let character = count == rows / 2 ? 0 : bar.value
      return Step(dot: rows - count, area: Float(count * columns), character: character)
    })
  static let half = CellDivision(
    shape: .grid(rows: 2),
    steps: [
      Step(dot: 0, area: area / 4, character: 0),
      Step(dot: 1, area: area / 2, character: 0x2580, opposite: 0x2584),
    ])

  /// Returns all sets of dots without the last, which is always background, in Gray code; `character`
  /// gives that of a set, whose dots are its bits from the lowest on, or 0.
  private static func grid(rows: Int, _ character: (Int) -> UInt32) -> CellDivision {
    let all = 1 << (2 * rows) - 1
    var dots = 0
    let steps = (1...all / 2).map { number in
      let dot = number.trailingZeroBitCount
      dots ^= 1 << dot
      return Step(
        dot: dot, sign: dots & 1 << dot == 0 ? -1 : 1,
        area: area * Float(dots.nonzeroBitCount) / Float(2 * rows),
        character: character(dots), opposite: character(all ^ dots))
    }
    return CellDivision(shape: .grid(rows: rows), steps: steps)
  }

  private static let quadrantScalars: [UInt32] = " ▘▝▀▖▌▞▛▗▚▐▜▄▙▟█".unicodeScalars.map(\.value)

  /// Returns a sextant (from U+1FB00); sets that are older block characters are left out of that range.
  private static func sextant(_ dots: Int) -> UInt32 {
    switch dots {
    case 0: 0x20
    case 0b01_0101: 0x258C
    case 0b10_1010: 0x2590
    case 0b11_1111: 0x2588
    case ..<0b01_0101: 0x1FB00 + UInt32(dots) - 1
    case ..<0b10_1010: 0x1FB00 + UInt32(dots) - 2
    default: 0x1FB00 + UInt32(dots) - 3
    }
  }

  /// Octants (from U+1CD00); sets that are older characters are left out of that range.
  private static let octantScalars: [UInt32] = {
    var olds: [Int: UInt32] = [
      0b0000_0011: 0x1FB82, 0b1100_0000: 0x2582, 0b0011_1111: 0x1FB85, 0b1111_1100: 0x2586,
      0b0000_0001: 0x1CEA8, 0b0000_0010: 0x1CEAB, 0b0100_0000: 0x1CEA3, 0b1000_0000: 0x1CEA0,
      0b0001_0100: 0x1FBE6, 0b0010_1000: 0x1FBE7,
    ]
    for (dots, scalar) in quadrantScalars.enumerated() {
      olds[(dots & 0b11) * 0b101 | (dots >> 2) * 0b101_0000] = scalar
    }
    var next: UInt32 = 0x1CD00
    return (0..<256).map { dots in
      if let old = olds[dots] { return old }
      defer { next += 1 }
      return next
    }
  }()
}
