package import MarketModel
import MarketStrings
internal import MarketViewModels
internal import SafeText
package import TerminalKit

/// A picture ready to be drawn.
package nonisolated enum PictureTile: DrawablePicture {
  /// As block characters.
  case cells(PictureArt)
  /// As the terminal's protocol has it.
  case pixels(TerminalPicture)
  /// In words alone.
  case described(PictureDescription)

  package var byteCount: Int {
    switch self {
    case .cells(let art): art.byteCount
    case .pixels(let picture): picture.byteCount
    case .described: MemoryLayout<PictureDescription>.size
    }
  }
}

/// Description of a picture in words.
package nonisolated struct PictureDescription: Hashable, Sendable {
  private let format: PictureFormat
  private let size: PixelSize
  private let fileBytes: Int

  package init(format: PictureFormat, size: PixelSize, fileBytes: Int) {
    self.format = format
    self.size = size
    self.fileBytes = fileBytes
  }

  /// As much as fits: `JPEG · 1600×1200 · 212 KB`, or less of it.
  @MainActor func text(columns: Int) -> SafeText {
    let kind = SafeText(format.name)
    let pixels = kind + " · " + SafeText("\(size.width)×\(size.height)")
    let whole = pixels + " · " + BytesText.text(fileBytes)
    return [whole, pixels].first { $0.columns <= columns } ?? kind
  }
}

/// The place of a picture: the picture itself or its description, a quiet tile until it comes, or what
/// is the matter.
struct PictureBox {
  let rect: CellRect
  let want: PictureWant?

  /// Longest side, in pixels of the drawing, up to which the thumbnail is as good as the original.
  private static let thumbnailSide = 200
  private static let maximumSize = CellSize(
    columns: PicturePiece.maximumSide, rows: PicturePiece.maximumSide)

  /// Takes nil where the product has no picture, and the cells that one may cover.
  init(_ picture: Picture?, in rect: CellRect, fit: PictureWant.Fit, style: PictureStyle) {
    self.rect = rect
    guard let picture, !rect.isEmpty else {
      want = nil
      return
    }
    guard let cell = style.pixelsPerCell else {
      want = PictureWant(
        picture: picture, rendition: .original, box: PixelSize(width: 1, height: 1), fit: .whole)
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
    case .ready(PictureTile.cells(let art)):
      canvas.draw(art, at: rect.centered(art.size).origin)
    case .ready(PictureTile.pixels(let picture)):
      canvas.draw(picture, at: rect.centered(picture.size).origin)
    case .ready(PictureTile.described(let description)):
      drawWords(description.text(columns: rect.columns - 2), on: &canvas, context)
    case .ready, .unavailable: drawFallback(on: &canvas, context)
    case .pending: canvas.fill(rect, style: context.theme.tile)
    }
  }

  private func drawFallback(on canvas: inout Canvas, _ context: RenderContext) {
    drawWords(context.strings[.noPicture], on: &canvas, context)
  }

  /// Words in the middle; where they stand for every picture, in brackets above the other texts.
  private func drawWords(_ words: SafeText, on canvas: inout Canvas, _ context: RenderContext) {
    canvas.fill(rect, style: context.theme.tile)
    let text = (context.pictures.showsPictures ? words : "[" + words + "]")
      .truncated(toColumns: rect.columns)
    let middle = rect.centered(CellSize(columns: text.columns, rows: 1)).origin
    canvas.write(text, at: rect.rows == 1 ? rect.origin : middle, style: context.theme.tile)
  }
}

/// Sizes of files as people read them: 4.2 MB, 281 KB.
enum BytesText {
  static func text(_ count: Int) -> SafeText {
    switch count {
    case ..<1_000: SafeText(count) + " B"
    case ..<1_000_000: SafeText((count + 500) / 1_000) + " KB"
    default: SafeText(count / 1_000_000) + "." + SafeText(count / 100_000 % 10) + " MB"
    }
  }
}
