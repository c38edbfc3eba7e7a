internal import MarketModel
internal import MarketViewModels
internal import SafeText
package import TerminalKit

/// A picture ready to be drawn as cells.
package nonisolated struct PictureTile: DrawablePicture {
  package let art: PictureArt

  package init(art: PictureArt) {
    self.art = art
  }

  package var byteCount: Int { art.byteCount }
}

/// The place of a picture: the picture itself, a quiet tile until it comes, or what is the matter.
struct PictureBox {
  let rect: CellRect
  let want: PictureWant?

  /// Longest side, in pixels of the drawing, up to which the thumbnail is as good as the original.
  private static let thumbnailSide = 200

  /// - Parameters:
  ///   - picture: nil where the product has none.
  ///   - rect: the cells that it may cover.
  ///   - fit: whether all of it is shown or the whole box is covered.
  ///   - style: how pictures are drawn.
  init(_ picture: Picture?, in rect: CellRect, fit: PictureWant.Fit, style: PictureStyle) {
    self.rect = rect
    guard let picture, !rect.isEmpty, case .cells(let symbols) = style else {
      want = nil
      return
    }
    let cell = symbols.pixelsPerCell
    let box = PixelSize(width: rect.columns * cell.width, height: rect.rows * cell.height)
    let isSmall = max(box.width, box.height) <= Self.thumbnailSide
    want = PictureWant(
      picture: picture, rendition: isSmall ? .thumbnail : .original, box: box, fit: fit)
  }

  func draw(on canvas: inout Canvas, from gallery: PictureGallery, _ context: RenderContext) {
    guard let want else { return drawFallback(on: &canvas, context) }
    switch gallery.picture(for: want) {
    case .ready(let picture as PictureTile):
      let place = rect.centered(picture.art.size)
      canvas.draw(picture.art, at: place.origin)
    case .ready, .unavailable: drawFallback(on: &canvas, context)
    case .pending: canvas.fill(rect, style: context.theme.tile)
    }
  }

  private func drawFallback(on canvas: inout Canvas, _ context: RenderContext) {
    canvas.fill(rect, style: context.theme.tile)
    let text = context.strings[.noPicture].truncated(toColumns: rect.columns)
    let place = rect.centered(CellSize(columns: text.columns, rows: 1))
    canvas.write(text, at: place.origin, style: context.theme.tile)
  }
}
