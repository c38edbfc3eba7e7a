internal import TextCoding

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
