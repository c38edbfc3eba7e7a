package import MarketModel
import MarketStrings
internal import MarketViewModels
internal import SafeTextKit
package import TerminalKit

/// Picture that is ready to be drawn.
package nonisolated enum PictureTile: DrawablePicture {
  /// Characters, made from a picture of the given size in pixels.
  case cells(BlockArt, of: PixelSize)
  /// Picture of the terminal's protocol.
  case pixels(TerminalPicture, of: PixelSize)
  /// Description in place of a picture.
  case described(PictureDescription)

  package var byteCount: Int {
    switch self {
    case .cells(let art, _): art.byteCount
    case .pixels(let picture, _): picture.byteCount
    case .described: MemoryLayout<PictureDescription>.size
    }
  }

  /// Size of the source picture in pixels; nil for a description.
  var pictureSize: PixelSize? {
    switch self {
    case .cells(_, let size), .pixels(_, let size): size
    case .described: nil
    }
  }
}

/// Description of a picture as text.
package nonisolated struct PictureDescription: Hashable, Sendable {
  private let format: PictureFormat
  private let size: PixelSize
  private let fileBytes: Int

  package init(format: PictureFormat, size: PixelSize, fileBytes: Int) {
    self.format = format
    self.size = size
    self.fileBytes = fileBytes
  }

  /// Returns as much as fits: `JPEG · 1600×1200 · 212 KB`, or less of it.
  @MainActor func text(columns: Int) -> SafeText {
    let kind = SafeText(format.name)
    let pixels = kind + " · " + SafeText("\(size.width)×\(size.height)")
    let whole = pixels + " · " + BytesText.text(fileBytes)
    return [whole, pixels].first { $0.columns <= columns } ?? kind
  }
}

/// Area of a picture: the picture or its description, an empty tile until it is loaded, or the failure.
struct PictureBox {
  let rect: CellRect
  let want: PictureWant?
  /// Alignment of a picture that does not fill the box.
  var alignment = Alignment.center
  /// Whether a failure is shown as text; beside other pictures the tile suffices.
  var saysFailure = true
  /// Key in the text that reloads a failed picture; nil for none.
  var retryKey: SafeText?

  enum Alignment {
    case center
    case topLeft
  }

  /// Maximum longest side in drawn pixels for which the thumbnail is as good as the original.
  private static let thumbnailSide = 200
  private static let maximumSize = CellSize(
    columns: PicturePiece.maximumSide, rows: PicturePiece.maximumSide)

  /// Creates a box, with nil for a product without picture; without `rendition`, the smallest
  /// sufficient one is used.
  init(
    _ picture: Picture?, in rect: CellRect, fit: PictureWant.Fit, style: PictureStyle,
    rendition: PictureRendition? = nil, part: PixelRectangle? = nil, isFaded: Bool = false
  ) {
    self.rect = rect
    guard let picture, !rect.isEmpty else {
      want = nil
      return
    }
    guard let box = Self.pixels(of: rect, style) else {
      want = PictureWant(
        picture: picture, rendition: .original, box: PixelSize(width: 1, height: 1), fit: .whole)
      return
    }
    let isSmall = max(box.width, box.height) <= Self.thumbnailSide
    want = PictureWant(
      picture: picture, rendition: rendition ?? (isSmall ? .thumbnail : .original), box: box,
      fit: fit, part: part, isFaded: isFaded)
  }

  /// Creates a box for a product's thumbnail, faded where it is sold out; nil for a product that is not
  /// loaded.
  init(_ product: Product?, in rect: CellRect, style: PictureStyle) {
    self.init(
      product?.thumbnail, in: rect, fit: .cover, style: style,
      isFaded: product?.isSoldOut ?? false)
  }

  /// Returns the size of a box in drawn pixels; nil where no pictures are drawn.
  static func pixels(of rect: CellRect, _ style: PictureStyle) -> PixelSize? {
    style.pixelsPerCell.map { cell in
      let rect = rect.centered(maximumSize)
      return PixelSize(width: rect.columns * cell.width, height: rect.rows * cell.height)
    }
  }

  func draw(on canvas: inout Canvas, from gallery: PictureGallery, _ context: RenderContext) {
    guard !rect.isEmpty else { return }
    guard let want else { return drawWords([context.strings[.noPicture]], on: &canvas, context) }
    switch gallery.picture(for: want) {
    case .ready(let picture as PictureTile): draw(picture, on: &canvas, context)
    case .ready, .unavailable: drawFailure(on: &canvas, context)
    case .pending: canvas.fill(rect, style: context.theme.tile)
    }
  }

  private func draw(
    _ tile: PictureTile, on canvas: inout Canvas, _ context: RenderContext
  ) {
    switch tile {
    case .cells(let art, _):
      canvas.clipped(to: rect) { $0.draw(art, at: position(of: art.size)) }
    case .pixels(let picture, _):
      canvas.clipped(to: rect) { $0.draw(picture, at: position(of: picture.size)) }
    case .described(let description):
      drawWords([description.text(columns: rect.columns - 2)], on: &canvas, context)
    }
  }

  /// Position in the box of a picture of the given size.
  private func position(of size: CellSize) -> CellPoint {
    switch alignment {
    case .center: CellRect(size: rect.size).centered(size).origin
    case .topLeft: .zero
    }
  }

  private func drawFailure(on canvas: inout Canvas, _ context: RenderContext) {
    let strings = context.strings
    guard saysFailure else { return canvas.fill(rect, style: context.theme.tile) }
    let retry = retryKey.map { [strings(.pictureRetry, $0)] } ?? []
    drawWords([strings[.pictureNotLoaded]] + retry, on: &canvas, context)
  }

  /// Draws lines in the middle of the tile; where texts replace all pictures, in brackets at the left.
  private func drawWords(
    _ lines: [SafeText], on canvas: inout Canvas, _ context: RenderContext
  ) {
    guard context.pictures.showsPictures, rect.rows > 1 else {
      return drawWordsInBrackets(lines, on: &canvas, context)
    }
    canvas.fill(rect, style: context.theme.tile)
    let lines = lines.flatMap { $0.wrapped(toColumns: max(1, rect.columns - 2)) }
    let middle = rect.centered(CellSize(columns: rect.columns, rows: lines.count))
    for (row, line) in lines.prefix(middle.rows).enumerated() {
      let position = middle.row(row).centered(CellSize(columns: line.columns, rows: 1))
      canvas.write(line, at: position.origin, style: context.theme.tile, maxColumns: rect.columns)
    }
  }

  private func drawWordsInBrackets(
    _ lines: [SafeText], on canvas: inout Canvas, _ context: RenderContext
  ) {
    let words = lines.joined(separator: " · ")
    let text = (context.pictures.showsPictures ? words : "[" + words + "]")
      .truncated(toColumns: rect.columns)
    let middle = rect.centered(CellSize(columns: text.columns, rows: 1)).origin
    canvas.fill(rect, style: context.theme.tile)
    canvas.write(text, at: rect.rows == 1 ? rect.origin : middle, style: context.theme.tile)
  }
}

/// File size in readable units: 4.2 MB, 281 KB.
enum BytesText {
  static func text(_ count: Int) -> SafeText {
    switch count {
    case ..<1_000: SafeText(count) + " B"
    case ..<1_000_000: SafeText((count + 500) / 1_000) + " KB"
    default: SafeText(count / 1_000_000) + "." + SafeText(count / 100_000 % 10) + " MB"
    }
  }
}
