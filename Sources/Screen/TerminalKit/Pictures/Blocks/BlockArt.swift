/// Picture of characters: each cell has the character and two colours nearest to its pixels.
///
/// Creating one needs no lock and no terminal, so any queue may do it.
package struct BlockArt: Hashable, Sendable {
  package let size: CellSize
  /// Rows top to bottom, `size.columns` tiles each.
  let tiles: [Tile]

  struct Tile: Hashable, Sendable {
    let scalarValue: UInt32
    let foreground: Color
    let background: Color
  }

  /// Draws pixels with symbols, stretched to whole cells.
  ///
  /// - Parameters:
  ///   - pixels: red, green, blue, alpha (not premultiplied); rows top to bottom without padding.
  ///   - width: pixels per row.
  ///   - height: rows of pixels.
  ///   - size: the cells to cover, by default as many as the pixels take; empty where there are no pixels.
  ///   - symbols: the characters to use; `symbols.pixelsPerCell` is the useful resolution.
  ///   - colors: the colours to use.
  ///   - background: the colour behind transparent pixels.
  package init(
    pixels: [UInt8], width: Int, height: Int, size: CellSize? = nil,
    symbols: PictureSymbols = .quadrant, colors: PictureColors = .direct, background: RGB = .black
  ) {
    precondition(pixels.count == width * height * 4, "pixels do not fill the picture")
    let dots = symbols.pixelsPerCell
    let cells = CellSize(
      columns: (width + dots.width - 1) / dots.width, rows: (height + dots.height - 1) / dots.height
    )
    self.size = width > 0 && height > 0 ? size ?? cells : .zero
    var grid = DotGrid(
      pixels: pixels, width: width, height: height, columns: self.size.columns * dots.width,
      rows: self.size.rows * dots.height, background: background)
    guard symbols != .braille else {
      let chooser = BrailleTiles(colors: colors, isGroundLight: background.isLight)
      tiles = chooser.tiles(for: grid, size: self.size)
      return
    }
    switch colors {
    case .direct, .palette, .ink: break
    case .grays, .blackAndGray:
      OrderedDither.grays(colors.grays, &grid, width: symbols == .half ? 4 : 2)
    }
    tiles = TileChooser(symbols: symbols, colors: colors).tiles(for: grid, size: self.size)
  }

  /// Bytes of memory that the picture takes.
  package var byteCount: Int { tiles.count * MemoryLayout<Tile>.stride }
}

extension Canvas {
  /// Draws a picture with its top left corner at `point`, clipped.
  package mutating func draw(_ art: BlockArt, at point: CellPoint) {
    let isLinear = isLinear
    cover(CellRect(origin: point, size: art.size)) { column, row in
      let tile = art.tiles[row * art.size.columns + column]
      let style = Style(foreground: tile.foreground, background: tile.background)
      return Cell(Glyph(value: tile.scalarValue), style: isLinear ? .plain : style)
    }
  }
}
