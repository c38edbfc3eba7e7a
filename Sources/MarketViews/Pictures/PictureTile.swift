internal import MarketModel
internal import MarketViewModels
internal import SafeText
package import TerminalKit

/// A picture ready to be drawn.
package nonisolated enum PictureTile: DrawablePicture {
  /// As block characters.
  case cells(PictureArt)
  /// As the terminal's protocol has it.
  case pixels(TerminalPicture)

  package var byteCount: Int {
    switch self {
    case .cells(let art): art.byteCount
    case .pixels(let picture): picture.byteCount
    }
  }

  var size: CellSize {
    switch self {
    case .cells(let art): art.size
    case .pixels(let picture): picture.size
    }
  }

  func draw(on canvas: inout Canvas, at point: CellPoint) {
    switch self {
    case .cells(let art): canvas.draw(art, at: point)
    case .pixels(let picture): canvas.draw(picture, at: point)
    }
  }
}

/// The place of a picture: the picture itself, a quiet tile until it comes, or what is the matter.
struct PictureBox {
  let rect: CellRect
  let want: PictureWant?

  /// Longest side, in pixels of the drawing, up to which the thumbnail is as good as the original.
  private static let thumbnailSide = 200
  private static let maximumSize = CellSize(
    columns: PicturePiece.maximumSide, rows: PicturePiece.maximumSide)

  /// - Parameters:
  ///   - picture: nil where the product has none.
  ///   - rect: the cells that it may cover.
  ///   - fit: whether all of it is shown or the whole box is covered.
  ///   - style: how pictures are drawn.
  init(_ picture: Picture?, in rect: CellRect, fit: PictureWant.Fit, style: PictureStyle) {
    self.rect = rect
    guard let picture, !rect.isEmpty, let cell = style.pixelsPerCell else {
      want = nil
      return
    }
    let rect = rect.centered(Self.maximumSize)
    let box = PixelSize(width: rect.columns * cell.width, height: rect.rows * cell.height)
    let isSmall = max(box.width, box.height) <= Self.thumbnailSide
    want = PictureWant(
      picture: picture, rendition: isSmall ? .thumbnail : .original, box: box, fit: fit)
  }

  func draw(on canvas: inout Canvas, from gallery: PictureGallery, _ context: RenderContext) {
    guard !rect.isEmpty else { return }
    guard let want else { return drawFallback(on: &canvas, context) }
    switch gallery.picture(for: want) {
    case .ready(let picture as PictureTile):
      picture.draw(on: &canvas, at: rect.centered(picture.size).origin)
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
