internal import MarketModel
internal import MarketViewModels
internal import SafeText
internal import TerminalKit

/// A dot for each picture of a product and which of how many is shown, beside a picture in two rows or
/// under it in one.
struct PictureDots {
  let count: Int
  let shown: Int
  /// Where they stand, two rows high where the count goes below the dots.
  let rect: CellRect
  /// Whether the count stands here, and not elsewhere on the screen.
  var showsCount = true

  private static let gap = 2

  private var gap: Int { dotColumns == 0 || position.isEmpty ? 0 : Self.gap }

  /// The columns of a row of dots.
  static func columns(of count: Int) -> Int { max(0, count * 2 - 1) }

  /// Columns that dots and count take in one row.
  var columns: Int { dotColumns + gap + position.columns }

  private var position: SafeText { showsCount ? SafeText("\(shown + 1)/\(count)") : .empty }

  /// Where there is no room for all dots the count stands alone.
  private var dotColumns: Int {
    let columns = Self.columns(of: count)
    let isAlone = rect.rows > 1 || position.isEmpty
    let needed = isAlone ? columns : columns + Self.gap + position.columns
    return needed <= rect.columns ? columns : 0
  }

  func draw(on canvas: inout Canvas, _ context: RenderContext) {
    guard count > 1, !rect.isEmpty else { return }
    for dot in 0..<(dotColumns == 0 ? 0 : count) {
      canvas.put(
        dot == shown ? .filledDot : .emptyDot, at: rect.origin.moved(columns: dot * 2),
        style: context.theme.accent)
    }
    let place =
      rect.rows > 1
      ? rect.origin.moved(rows: 1)
      : rect.origin.moved(columns: dotColumns + gap)
    canvas.write(position, at: place, style: context.theme.secondary, maxColumns: rect.columns)
  }

  /// The picture whose dot is at a point, for a click.
  func picture(at point: CellPoint) -> Int? {
    guard count > 1, point.row == rect.minRow else { return nil }
    let offset = point.column - rect.minColumn
    guard offset >= 0, offset < dotColumns, offset.isMultiple(of: 2) else { return nil }
    return offset / 2
  }
}

/// Small pictures side by side, the shown one marked.
struct ThumbnailStrip {
  private let pictures: [Picture]
  private let shown: Int
  /// The first one for which there is room.
  private let first: Int
  /// Their places from left to right.
  private let rects: [CellRect]
  private let style: PictureStyle

  private static let widest = 10
  private static let narrowest = 6

  /// Puts as many as there is room for at the right end of a row of `rect`, whose last row is for the
  /// mark; those around the shown one where not all fit.
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
    let start = rect.maxColumn - visible * (width + 1) + 1
    rects = (0..<visible).map { index in
      CellRect(
        origin: CellPoint(column: start + index * (width + 1), row: rect.minRow), size: size)
    }
  }

  private var boxes: [(index: Int, box: PictureBox)] {
    rects.enumerated().map { place, rect in
      var box = PictureBox(pictures[first + place], in: rect, fit: .cover, style: style)
      box.saysFailure = false
      return (first + place, box)
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

  /// The picture at a point, for a click.
  func picture(at point: CellPoint) -> Int? {
    rects.firstIndex { $0.contains(point) }.map { first + $0 }
  }
}
