internal import TextCoding

/// Picture made of pixels, encoded for the terminal by one of its protocols.
///
/// Encoding takes time, so it is made on any queue but the main one; drawing it on a canvas and
/// showing the canvas then only copy bytes.
package struct TerminalPicture: Sendable {
  /// Number that no other picture of the same run has.
  package let serial: UInt32
  /// The cells that it covers, at most `PicturePiece.maximumSide` each way.
  package let size: CellSize
  package let content: Content

  package enum Content: Sendable {
    case kitty(KittyPicture)
    case sixel(SixelPicture)
    case inline(InlinePicture)
  }

  package init(serial: UInt32, size: CellSize, content: Content) {
    self.serial = serial
    self.size = size
    self.content = content
  }

  /// Memory that the picture takes here.
  package var byteCount: Int {
    switch content {
    case .kitty(let picture): picture.file.count + (picture.draft?.count ?? 0)
    case .sixel(let picture): picture.byteCount
    case .inline(let picture): picture.byteCount
    }
  }
}

extension TerminalPicture: Hashable {
  package static func == (left: TerminalPicture, right: TerminalPicture) -> Bool {
    left.serial == right.serial
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(serial) }
}

/// Piece of a picture that lies in one cell: how a canvas holds pictures made of pixels.
///
/// Since each piece is a cell like any other, clipping, covering and comparing frames need to know
/// nothing of pictures.
package struct PicturePiece: Hashable, Sendable {
  /// The picture's `TerminalPicture.serial`.
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
  /// The first scalar of a glyph that is a piece of a picture; from foreign text it never comes,
  /// since `SafeText` replaces characters for private use.
  static let placeholder: UInt32 = 0x10_EEEE

  init(_ piece: PicturePiece) {
    let position = UInt64(piece.row) << 21 | UInt64(piece.column) << 42
    self.init(low: UInt64(Self.placeholder) | position, high: UInt64(piece.serial))
  }

  /// The piece of a picture that stands here instead of a character.
  package var piece: PicturePiece? {
    guard scalarValue(at: 0) == Self.placeholder else { return nil }
    return PicturePiece(
      serial: UInt32(truncatingIfNeeded: high), column: Int(scalarValue(at: 2)),
      row: Int(scalarValue(at: 1)))
  }
}

/// A picture for terminals with the inline pictures of iTerm2 (OSC 1337, "Inline Images Protocol").
package struct InlinePicture: Sendable {
  /// A file of our own making, in base 64.
  let file: [UInt8]
  /// Makes a file of a part of the picture, given in cells.
  private let cut: @Sendable (CellRect) -> [UInt8]
  /// The bytes of the picture that is kept to be cut.
  private let uncutBytes: Int

  /// Takes a picture file that the program has encoded itself, and what makes such a file of some
  /// of its cells where the rest is covered; `uncutBytes` is the memory that `cut` holds.
  package init(
    file: [UInt8], uncutBytes: Int, cut: @escaping @Sendable (CellRect) -> [UInt8]
  ) {
    self.file = Base64.encode(file)
    self.uncutBytes = uncutBytes
    self.cut = cut
  }

  var byteCount: Int { file.count + uncutBytes }

  /// The command that shows the picture, or some cells of it, at the cursor; `size` is that of the
  /// whole picture.
  func bytes(of part: CellRect?, size: CellSize) -> [UInt8] {
    let shown = part?.size ?? size
    let file = part.map { Base64.encode(cut($0)) } ?? file
    let padding = file.suffix(2).count { $0 == UInt8(ascii: "=") }
    let control =
      "\u{1B}]1337;File=inline=1;size=\(file.count / 4 * 3 - padding);width=\(shown.columns)"
      + ";height=\(shown.rows);preserveAspectRatio=0;doNotMoveCursor=1:"
    return Array(control.utf8) + file + [0x07]
  }
}
