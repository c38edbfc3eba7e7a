internal import TextCoding

/// Picture of pixels, encoded for the terminal by one of its protocols.
///
/// Encoding takes time and runs off the main queue; drawing and showing it then only copy bytes.
package struct TerminalPicture: Sendable {
  /// Number of the picture, unique within a run.
  package let serial: UInt32
  /// Cells that the picture covers, at most `PicturePiece.maximumSide` in each direction.
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

  /// Bytes of memory that the picture takes.
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

/// Piece of a picture in one cell, by which a canvas holds pictures of pixels.
///
/// Each piece is a cell like any other, so clipping, covering and comparing frames need no case for
/// pictures.
package struct PicturePiece: Hashable, Sendable {
  /// The picture's `TerminalPicture.serial`.
  package let serial: UInt32
  /// Position of the cell within the picture.
  package let column: Int
  package let row: Int

  /// Maximum columns and rows of cells of a picture.
  package static let maximumSide = 256

  package init(serial: UInt32, column: Int, row: Int) {
    self.serial = serial
    self.column = column
    self.row = row
  }
}

extension Glyph {
  /// First scalar of a glyph that is a piece of a picture; untrusted text cannot contain it, because
  /// `SafeText` replaces private-use characters.
  static let placeholder: UInt32 = 0x10_EEEE

  init(_ piece: PicturePiece) {
    let position = UInt64(piece.row) << 21 | UInt64(piece.column) << 42
    self.init(low: UInt64(Self.placeholder) | position, high: UInt64(piece.serial))
  }

  /// Piece of a picture in place of a character; nil for characters.
  package var piece: PicturePiece? {
    guard scalarValue(at: 0) == Self.placeholder else { return nil }
    return PicturePiece(
      serial: UInt32(truncatingIfNeeded: high), column: Int(scalarValue(at: 2)),
      row: Int(scalarValue(at: 1)))
  }
}

/// Picture for terminals with iTerm2's inline pictures (OSC 1337, "Inline Images Protocol").
package struct InlinePicture: Sendable {
  /// Picture file, encoded by the program, in base 64.
  let file: [UInt8]
  /// Encodes a part of the picture, given in cells, as a file.
  private let cut: @Sendable (CellRect) -> [UInt8]
  /// Bytes of memory of the picture from which `cut` encodes.
  private let uncutBytes: Int

  /// Creates a picture from a file that the program encoded; `cut` encodes some of its cells as a file
  /// where the rest is covered, and holds `uncutBytes` bytes of memory.
  package init(
    file: [UInt8], uncutBytes: Int, cut: @escaping @Sendable (CellRect) -> [UInt8]
  ) {
    self.file = Base64.encode(file)
    self.uncutBytes = uncutBytes
    self.cut = cut
  }

  var byteCount: Int { file.count + uncutBytes }

  /// Returns the command that shows the picture, or `part` of it, at the cursor; `size` is that of the
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
