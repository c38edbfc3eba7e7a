package import MarketModel

/// Plan for decoding one file to a bitmap in a box, made from the file's header before any pixel is
/// allocated.
struct DecodingPlan: Hashable {
  let header: PictureHeader
  /// Size to which the decoder decodes, in pixels of the file's rows and columns.
  let decoded: PixelSize
  /// Size after scaling, before the orientation is applied.
  let result: PixelSize
  private let framing: Framing
  let cost: DecodingCost

  /// Plans the decoding of a file into `box`, given in pixels of the upright picture, with sides of
  /// at least 1.
  ///
  /// - Throws: `.undecodable` where no format is recognized; `.tooLarge` where the file, a side of
  ///   more than 1,000,000 pixels, or the cost of every possible size exceeds `limits`.
  init(
    _ bytes: [UInt8], box: PixelSize, framing: Framing, limits: DecodingLimits
  ) throws(PictureError) {
    precondition(box.width > 0 && box.height > 0, "a picture is shown in one pixel at least")
    guard bytes.count <= limits.fileBytes else { throw .tooLarge }
    let header = try PictureHeader(bytes)
    // No decoder takes more on a side, and below it no estimate overflows.
    guard max(header.size.width, header.size.height) <= 1_000_000 else { throw .tooLarge }
    let stored = header.orientation.applied(to: box)
    let framing = framing.stored(of: header)
    let result = framing.result(of: header.storedSize, in: stored)
    let wanted = framing.scaled(header.storedSize, in: stored)
    let bitmaps = result.pixelCount * (header.orientation == .upright ? 4 : 8)

    let plans = header.decodedSizes(for: wanted).lazy.map { decoded in
      var cost = header.cost(decodingTo: decoded, fileBytes: bytes.count)
      cost.memory += bitmaps
      return (decoded: decoded, cost: cost)
    }
    guard let plan = plans.first(where: { $0.cost.isWithin(limits) }) else { throw .tooLarge }
    self.header = header
    self.result = result
    self.framing = framing
    decoded = plan.decoded
    cost = plan.cost
  }

  /// Part of the decoded pixels that the result shows.
  var crop: PixelRectangle {
    switch framing {
    case .fit: PixelRectangle(columns: 0..<decoded.width, rows: 0..<decoded.height)
    case .fill: .middle(of: decoded, shapedLike: result)
    case .part(let part):
      PixelRectangle(
        columns: Self.scaled(part.columns, from: header.storedSize.width, to: decoded.width),
        rows: Self.scaled(part.rows, from: header.storedSize.height, to: decoded.height))
    }
  }

  /// Range of pixels, scaled to a picture of another size; at least one pixel long.
  private static func scaled(_ range: Range<Int>, from length: Int, to other: Int) -> Range<Int> {
    let lower = min(range.lowerBound * other / length, other - 1)
    return lower..<max(lower + 1, min(other, range.upperBound * other / length))
  }
}

extension PictureHeader {
  /// Sizes that the decoder supports, from the best for `wanted` to the least costly.
  fileprivate func decodedSizes(for wanted: PixelSize) -> [PixelSize] {
    switch coding {
    case .jpeg(let header):
      let sizes = header.reducedSizes
      let best = sizes.lastIndex { $0.width >= wanted.width && $0.height >= wanted.height }
      return Array(sizes[(best ?? 0)...])
    case .webp(let header) where !header.fillsCanvas: return [storedSize]
    case .webp:
      // Decoding to twice the wanted size leaves the last step to the scaler, which works in linear
      // light.
      return [
        PixelSize(
          width: min(storedSize.width, wanted.width * 2),
          height: min(storedSize.height, wanted.height * 2))
      ]
    case .png, .gif:
      return [storedSize]
    }
  }
}

/// Upper estimate of the memory and time that decoding a picture takes, made from its header alone.
struct DecodingCost: Hashable {
  /// Bytes held at once by the file, the decoder and its pixels.
  var memory: Int
  var nanoseconds: Int

  fileprivate func isWithin(_ limits: DecodingLimits) -> Bool {
    memory <= limits.memory && .nanoseconds(nanoseconds) <= limits.time
  }
}

extension PictureHeader {
  /// Returns the cost of decoding a file of `fileBytes` bytes to `decoded`, a size that its decoder
  /// supports.
  func cost(decodingTo decoded: PixelSize, fileBytes: Int) -> DecodingCost {
    var cost = decodingCost(decodingTo: decoded, fileBytes: fileBytes)
    if colors != nil {
      // A second copy of the pixels, in sRGB.
      cost.memory += decoded.pixelCount * (hasAlpha ? 4 : 3)
      cost.nanoseconds += decoded.pixelCount * 25
    }
    return cost
  }

  private func decodingCost(decodingTo decoded: PixelSize, fileBytes: Int) -> DecodingCost {
    let result = decoded.pixelCount * (hasAlpha ? 4 : 3)
    switch coding {
    case .jpeg(let header):
      return header.cost(result: decoded, fileBytes: fileBytes)
    case .png:
      // The file, a second copy of it without its metadata, and two rows.
      return DecodingCost(
        memory: result + fileBytes * 2 + storedSize.width * 16,
        nanoseconds: storedSize.pixelCount * 20 + fileBytes * 5)
    case .webp(let header):
      // libwebp holds lossless and alpha data of the whole picture, lossy colours only row by row.
      let whole = header.isLossless ? 4 : header.hasAlpha ? 1 : 0
      return DecodingCost(
        memory: result + fileBytes + storedSize.pixelCount * whole + storedSize.width * 128,
        nanoseconds: storedSize.pixelCount * 25)
    case .gif:
      return DecodingCost(
        memory: result + fileBytes + storedSize.height * 8,
        nanoseconds: storedSize.pixelCount * 15)
    }
  }
}

extension JPEGHeader {
  fileprivate func cost(result: PixelSize, fileBytes: Int) -> DecodingCost {
    let isFourColor = frame.components.count == 4
    let rows = frame.size.width * 64
    let coefficients = needsCoefficients ? frame.coefficientBytes : 0
    // The entropy decoder's time grows with the bytes, that of each scan with the area; the
    // arithmetic decoder can make any number of values from a byte.
    let entropy = frame.isArithmetic ? frame.coefficientBytes * 20 : fileBytes * 15
    let scans = needsCoefficients ? frame.coefficientBytes / 2 * scanCount : 0
    return DecodingCost(
      memory: fileBytes + result.pixelCount * (isFourColor ? 7 : 3) + rows + coefficients,
      nanoseconds: frame.size.pixelCount * 3 + result.pixelCount * 5 + entropy + scans)
  }
}

/// Mode in which a picture is fitted into a box.
package enum Framing: Hashable, Sendable {
  /// Scales the whole picture, in its shape, as large as the box allows.
  case fit
  /// Fills the box exactly; the excess is cut off equally on both sides.
  case fill
  /// Shows a part of the upright picture, as large as the box allows but in no more pixels than the
  /// part has.
  case part(PixelRectangle)

  /// Size of the result for a picture of `size`.
  func result(of size: PixelSize, in box: PixelSize) -> PixelSize {
    switch self {
    case .fit: size.fitted(into: box)
    case .fill: box
    case .part(let part):
      part.size.fitted(
        into: PixelSize(
          width: min(part.size.width, box.width), height: min(part.size.height, box.height)))
    }
  }

  /// Size of the whole picture at the result's scale, including what is cut off.
  func scaled(_ size: PixelSize, in box: PixelSize) -> PixelSize {
    let visible: PixelSize
    switch self {
    case .fit: return size.fitted(into: box)
    case .fill: visible = box.fitted(into: size)
    case .part(let part): visible = part.size
    }
    let result = result(of: size, in: box)
    return PixelSize(
      width: size.width * result.width / max(1, visible.width),
      height: size.height * result.height / max(1, visible.height))
  }

  /// Framing in the file's rows and columns; a part that lies outside the picture becomes the whole
  /// of it.
  fileprivate func stored(of header: PictureHeader) -> Framing {
    guard case .part(let part) = self else { return self }
    let whole = PixelRectangle(columns: 0..<header.size.width, rows: 0..<header.size.height)
    let inside = PixelRectangle(
      columns: part.columns.clamped(to: whole.columns), rows: part.rows.clamped(to: whole.rows))
    let isEmpty = inside.columns.isEmpty || inside.rows.isEmpty
    return .part(header.orientation.stored(isEmpty ? whole : inside, in: header.storedSize))
  }
}

/// Limits for decoding one picture; a picture with a higher estimate is refused before any pixel is
/// allocated.
package struct DecodingLimits: Hashable, Sendable {
  /// Maximum bytes that file, decoder and result hold together.
  package var memory: Int
  /// Maximum length of a file in bytes.
  package var fileBytes: Int
  /// Maximum estimated and maximum actual duration.
  package var time: Duration

  package init(
    memory: Int = 64 << 20, fileBytes: Int = 20_000_000, time: Duration = .seconds(2)
  ) {
    self.memory = memory
    self.fileBytes = fileBytes
    self.time = time
  }
}

/// Deadline and cancellation check of one decoding.
struct DecodingDeadline {
  private let deadline: ContinuousClock.Instant

  init(_ limits: DecodingLimits) {
    deadline = .now + limits.time
  }

  /// Checks for cancellation and the deadline; called between stages, and between rows where the
  /// decoder reads them singly.
  ///
  /// - Throws: `.cancelled` where the current task is cancelled; `.tooLarge` after the deadline.
  func check() throws(PictureError) {
    if Task.isCancelled { throw .cancelled }
    if ContinuousClock.now > deadline { throw .tooLarge }
  }
}
