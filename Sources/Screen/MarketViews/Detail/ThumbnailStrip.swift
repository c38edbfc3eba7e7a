internal import MarketModel
internal import MarketViewModels
internal import TerminalKit

/// Row of thumbnails with a mark under the shown one.
struct ThumbnailStrip {
  private let pictures: [Picture]
  private let shown: Int
  /// Index of the first visible picture.
  private let first: Int
  /// Areas of the thumbnails, left to right.
  private let rects: [CellRect]
  private let style: PictureStyle

  private static let widest = 10
  private static let narrowest = 6

  /// Places as many thumbnails as fit at the left end of `rect`, whose last row is for the mark; those
  /// around the shown one where not all fit.
  init(_ pictures: [Picture], shown: Int, in rect: CellRect, style: PictureStyle) {
    self.pictures = pictures
    self.shown = shown
    self.style = style
    let count = pictures.count
    guard count > 1, !rect.isEmpty else {
      (first, rects) = (0, [])
      return
    }
    let width = ((rect.columns + 1) / count - 1).clamped(to: Self.narrowest...Self.widest)
    let visible = min(count, (rect.columns + 1) / (width + 1))
    first = (shown - visible / 2).clamped(to: 0...count - visible)
    let size = CellSize(columns: width, rows: min(rect.rows - 1, (width * 3 + 4) / 8))
    rects = (0..<visible).map { index in
      CellRect(
        origin: rect.origin.moved(columns: index * (width + 1)), size: size)
    }
  }

  private var boxes: [(index: Int, box: PictureBox)] {
    rects.enumerated().map { position, rect in
      var box = PictureBox(pictures[first + position], in: rect, fit: .cover, style: style)
      box.saysFailure = false
      return (first + position, box)
    }
  }

  var wants: [PictureWant] { boxes.compactMap(\.box.want) }

  func draw(on canvas: inout Canvas, from gallery: PictureGallery, _ context: RenderContext) {
    for (index, box) in boxes {
      box.draw(on: &canvas, from: gallery, context)
      guard index == shown else { continue }
      canvas.horizontalRule(
        at: CellPoint(column: box.rect.minColumn, row: box.rect.maxRow), columns: box.rect.columns,
        style: context.theme.accent, symbol: .heavyRule)
    }
  }

  /// Index of the picture at a point; nil for none.
  func picture(at point: CellPoint) -> Int? {
    rects.firstIndex { $0.contains(point) }.map { first + $0 }
  }
}
