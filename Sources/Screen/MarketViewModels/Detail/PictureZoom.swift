package import MarketModel

/// Magnification and visible part of a picture, as numbers.
///
/// Each step enlarges by half; the last one shows a pixel of the picture in a pixel of the box, which
/// is the maximum.
package struct PictureZoom: Hashable, Sendable {
  /// Sizes of the picture and its box, in pixels.
  package struct Surroundings: Hashable, Sendable {
    package let picture: PixelSize
    package let box: PixelSize

    package init(picture: PixelSize, box: PixelSize) {
      self.picture = picture
      self.box = box
    }

    /// Pixels of the box for one of the picture, if all of it is visible.
    fileprivate var wholeScale: Double {
      min(Double(box.width) / Double(picture.width), Double(box.height) / Double(picture.height))
    }
  }

  /// Number of steps; 0 is the whole picture.
  private var steps = 0
  /// Center of the visible part, 0 to 1 from the left.
  private var centerX = 0.5
  /// Center of the visible part, 0 to 1 from the top.
  private var centerY = 0.5

  /// Factor of one step.
  private static let factor = 1.5
  /// Number of moves over the width of the visible part.
  private static let movesPerPart = 4

  package init() {}

  package var isEnlarged: Bool { steps > 0 }

  /// Whether pixels of the picture are not shown.
  package func canEnlarge(_ view: Surroundings) -> Bool { scale(view) < 1 }

  /// Pixels of the box for one of the picture, at most 1 unless the whole picture is smaller than the
  /// box.
  package func scale(_ view: Surroundings) -> Double {
    guard view.wholeScale < 1 else { return view.wholeScale }
    var scale = view.wholeScale
    for _ in 0..<steps where scale < 1 { scale *= Self.factor }
    return min(1, scale)
  }

  /// Visible part, in pixels of the picture; nil for all of it.
  package func part(_ view: Surroundings) -> PixelRectangle? {
    guard isEnlarged, view.wholeScale < 1 else { return nil }
    let scale = scale(view)
    return PixelRectangle(
      columns: Self.range(around: centerX, view.box.width, scale, in: view.picture.width),
      rows: Self.range(around: centerY, view.box.height, scale, in: view.picture.height))
  }

  private static func range(
    around center: Double, _ box: Int, _ scale: Double, in length: Int
  ) -> Range<Int> {
    let count = min(length, max(1, Int((Double(box) / scale).rounded())))
    let start = Int((center * Double(length) - Double(count) / 2).rounded())
    let lower = start.clamped(to: 0...length - count)
    return lower..<lower + count
  }

  mutating func enlarge(_ view: Surroundings) {
    if canEnlarge(view) { steps += 1 }
  }

  mutating func reduce() {
    if steps > 0 { steps -= 1 }
    if steps == 0 { (centerX, centerY) = (0.5, 0.5) }
  }

  mutating func move(columns: Int, rows: Int, _ view: Surroundings) {
    guard let part = part(view) else { return }
    centerX = Self.moved(part.columns, by: columns, in: view.picture.width)
    centerY = Self.moved(part.rows, by: rows, in: view.picture.height)
  }

  /// Center of a range that is moved by steps, 0 to 1.
  private static func moved(_ range: Range<Int>, by steps: Int, in length: Int) -> Double {
    let step = max(1, range.count / movesPerPart)
    let lower = (range.lowerBound + steps * step).clamped(to: 0...length - range.count)
    return (Double(lower) + Double(range.count) / 2) / Double(length)
  }
}
