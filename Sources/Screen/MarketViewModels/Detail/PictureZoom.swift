package import MarketModel

/// How much larger than its box a picture is shown, and which part of it is seen: pure numbers.
///
/// Each step is half as large again as the one before; the last one shows a pixel of the picture in a
/// pixel of the box, and nothing is ever larger.
package struct PictureZoom: Hashable, Sendable {
  /// The picture and the box in which it is shown, both in pixels.
  package struct Surroundings: Hashable, Sendable {
    package let picture: PixelSize
    package let box: PixelSize

    package init(picture: PixelSize, box: PixelSize) {
      self.picture = picture
      self.box = box
    }

    /// Pixels of the box for one of the picture where all of it is shown.
    fileprivate var wholeScale: Double {
      min(Double(box.width) / Double(picture.width), Double(box.height) / Double(picture.height))
    }
  }

  /// Steps from the whole picture on.
  private var steps = 0
  /// The middle of what is seen, 0 to 1 from the left.
  private var centerX = 0.5
  /// The same from the top.
  private var centerY = 0.5

  private static let factor = 1.5
  /// Parts of what is seen by which one move leads on.
  private static let movesPerPart = 4

  package init() {}

  package var isEnlarged: Bool { steps > 0 }

  /// Whether there are pixels that are not shown.
  package func canEnlarge(_ view: Surroundings) -> Bool { scale(view) < 1 }

  /// Pixels of the box for one of the picture.
  package func scale(_ view: Surroundings) -> Double {
    guard view.wholeScale < 1 else { return view.wholeScale }
    var scale = view.wholeScale
    for _ in 0..<steps where scale < 1 { scale *= Self.factor }
    return min(1, scale)
  }

  /// What is seen of the picture; nil for all of it.
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

  /// The middle of a range that is moved within the picture, 0 to 1.
  private static func moved(_ range: Range<Int>, by steps: Int, in length: Int) -> Double {
    let step = max(1, range.count / movesPerPart)
    let lower = (range.lowerBound + steps * step).clamped(to: 0...length - range.count)
    return (Double(lower) + Double(range.count) / 2) / Double(length)
  }
}
