/// A picture made of pixels, encoded for the terminal by one of its protocols.
///
/// Encoding takes time, so it is made on any queue but the main one; drawing it on a canvas and
/// showing the canvas then only copy bytes.
package struct TerminalPicture: Sendable {
  /// What tells it from every other picture of the same run.
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
    case .kitty(let picture): picture.file.count
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
