/// The part of a picture that lies in one cell: how a canvas holds pictures made of pixels.
///
/// Since each piece is a cell like any other, clipping, covering and comparing frames need to know
/// nothing of pictures.
package struct PicturePiece: Hashable, Sendable {
  /// Which picture, by `TerminalPicture.serial`.
  package let serial: UInt32
  /// The cell within the picture.
  package let column: Int
  package let row: Int

  /// As many columns and rows of cells as a picture may have.
  package static let maximumSide = 256

  package init(serial: UInt32, column: Int, row: Int) {
    self.serial = serial
    self.column = column
    self.row = row
  }
}

extension Glyph {
  /// What stands first in a glyph that is a piece of a picture; from foreign text it never comes,
  /// since `SafeText` replaces characters for private use.
  static let placeholder: UInt32 = 0x10_EEEE

  init(_ piece: PicturePiece) {
    let place = UInt64(piece.row) << 21 | UInt64(piece.column) << 42
    self.init(low: UInt64(Self.placeholder) | place, high: UInt64(piece.serial))
  }

  /// The piece of a picture that stands here instead of a character.
  package var piece: PicturePiece? {
    guard scalarValue(at: 0) == Self.placeholder else { return nil }
    return PicturePiece(
      serial: UInt32(truncatingIfNeeded: high), column: Int(scalarValue(at: 2)),
      row: Int(scalarValue(at: 1)))
  }
}
