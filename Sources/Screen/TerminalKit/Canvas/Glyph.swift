/// User-perceived character in one terminal cell: a base and up to four marks.
///
/// Packed into sixteen bytes without allocation, because a frame compares thousands of glyphs.
package struct Glyph: Hashable, Sendable {
  /// First three scalars, 21 bits each, the base lowest.
  private(set) var low: UInt64
  /// Last two scalars.
  private(set) var high: UInt64

  /// Maximum scalars of a glyph, which is that of an ncurses cell.
  static let maximumScalars = 5

  package static let space = Glyph(" ")
  /// Glyph of the right half of a wide character; nothing is drawn for it.
  package static let empty = Glyph(low: 0, high: 0)

  init(low: UInt64, high: UInt64) {
    self.low = low
    self.high = high
  }

  package init(_ scalar: Unicode.Scalar) {
    self.init(value: scalar.value)
  }

  /// Creates a glyph of one scalar, given by value.
  init(value: UInt32) {
    self.init(low: UInt64(value), high: 0)
  }

  /// Creates a glyph of the first five scalars; the rest is dropped.
  package init(_ scalars: some Sequence<Unicode.Scalar>) {
    self.init(low: 0, high: 0)
    for (index, scalar) in scalars.prefix(Self.maximumScalars).enumerated() {
      if index < 3 {
        low |= UInt64(scalar.value) << (21 * index)
      } else {
        high |= UInt64(scalar.value) << (21 * (index - 3))
      }
    }
  }

  /// Returns the scalar at `index`, below `maximumScalars`; 0 after the last one.
  package func scalarValue(at index: Int) -> UInt32 {
    let bits = index < 3 ? low >> (21 * index) : high >> (21 * (index - 3))
    return UInt32(bits & 0x1F_FFFF)
  }

  package var isEmpty: Bool { low == 0 }

  package var string: String {
    guard piece == nil else { return " " }
    var scalars = String.UnicodeScalarView()
    for index in 0..<Self.maximumScalars {
      guard let scalar = Unicode.Scalar(scalarValue(at: index)), scalar.value > 0 else { break }
      scalars.append(scalar)
    }
    return String(scalars)
  }
}

/// Symbol that the program itself draws, one column wide on every terminal.
///
/// Untrusted text never becomes a symbol; it passes through `SafeText`.
package struct Symbol: Hashable, Sendable, ExpressibleByUnicodeScalarLiteral {
  package let glyph: Glyph

  /// Creates a symbol from a printable character of one column.
  package init(unicodeScalarLiteral scalar: Unicode.Scalar) {
    glyph = Glyph(scalar)
  }

  package static let space: Symbol = " "
  package static let ellipsis: Symbol = "…"
  package static let horizontalRule: Symbol = "─"
  package static let verticalRule: Symbol = "│"
  /// Mark at the left of the selected row.
  package static let selectionBar: Symbol = "▌"
}
