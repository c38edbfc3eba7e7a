package import MarketModel

/// Way from one file to a bitmap in a box, decided from the file's header before anything is
/// allocated.
struct DecodingPlan: Hashable {
  let header: PictureHeader
  /// Size that the decoder gives.
  let decoded: PixelSize
  /// Size that is made of it, with rows and columns as the file has them.
  let result: PixelSize
  private let framing: Framing
  let cost: DecodingCost

  /// Plans a file for a box that the upright picture is brought into, with sides of at least 1.
  ///
  /// - Throws: `PictureError.undecodable`, or `.tooLarge` for more than the limits.
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

  /// The part of the decoded pixels that is shown.
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

  /// A range of pixels in a picture of another size; never an empty one.
  private static func scaled(_ range: Range<Int>, from length: Int, to other: Int) -> Range<Int> {
    let lower = min(range.lowerBound * other / length, other - 1)
    return lower..<max(lower + 1, min(other, range.upperBound * other / length))
  }
}

extension PictureHeader {
  /// Sizes that the decoder can give, from the best for `wanted` to the least costly.
  fileprivate func decodedSizes(for wanted: PixelSize) -> [PixelSize] {
    switch coding {
    case .jpeg(let header):
      let sizes = header.reducedSizes
      let best = sizes.lastIndex { $0.width >= wanted.width && $0.height >= wanted.height }
      return Array(sizes[(best ?? 0)...])
    case .webp(let header) where !header.fillsCanvas: return [storedSize]
    case .webp:
      // Twice what is wanted leaves the last step to the scaler, which works in linear light.
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

/// Estimate of what decoding a picture takes at most, made from its header alone.
struct DecodingCost: Hashable {
  /// Bytes held at once by the file, the decoder and what it decodes to.
  var memory: Int
  var nanoseconds: Int

  fileprivate func isWithin(_ limits: DecodingLimits) -> Bool {
    memory <= limits.memory && .nanoseconds(nanoseconds) <= limits.time
  }
}

extension PictureHeader {
  /// The cost of decoding a file of `fileBytes` to `decoded`, a size that its decoder can give.
  func cost(decodingTo decoded: PixelSize, fileBytes: Int) -> DecodingCost {
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
      // Lossless and alpha data are held as a whole, lossy colours row by row.
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
    // The entropy decoder's time goes with the bytes, that of each scan with the area; the
    // arithmetic one can draw any number of values from a byte.
    let entropy = frame.isArithmetic ? frame.coefficientBytes * 20 : fileBytes * 15
    let scans = needsCoefficients ? frame.coefficientBytes / 2 * scanCount : 0
    return DecodingCost(
      memory: fileBytes + result.pixelCount * (isFourColor ? 7 : 3) + rows + coefficients,
      nanoseconds: frame.size.pixelCount * 3 + result.pixelCount * 5 + entropy + scans)
  }
}

/// Way in which a picture is brought into a box.
package enum Framing: Hashable, Sendable {
  /// The whole picture, in its shape, as large as the box allows.
  case fit
  /// The box exactly; what sticks out is cut off on both sides alike.
  case fill
  /// A part of the upright picture, as large as the box allows but in no more pixels than it has.
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

  /// Size of the whole picture at the result's scale, what is cut off included.
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

  /// The same for the picture as its file has it; a part that lies outside of it is all of it.
  fileprivate func stored(of header: PictureHeader) -> Framing {
    guard case .part(let part) = self else { return self }
    let whole = PixelRectangle(columns: 0..<header.size.width, rows: 0..<header.size.height)
    let inside = PixelRectangle(
      columns: part.columns.clamped(to: whole.columns), rows: part.rows.clamped(to: whole.rows))
    let isEmpty = inside.columns.isEmpty || inside.rows.isEmpty
    return .part(header.orientation.stored(isEmpty ? whole : inside, in: header.storedSize))
  }
}

/// Limits of what decoding one picture may cost; more is refused before anything is allocated.
package struct DecodingLimits: Hashable, Sendable {
  /// Bytes that file, decoder and result may hold together.
  package var memory: Int
  /// Bytes of a file.
  package var fileBytes: Int
  package var time: Duration

  package init(
    memory: Int = 64 << 20, fileBytes: Int = 20_000_000, time: Duration = .seconds(2)
  ) {
    self.memory = memory
    self.fileBytes = fileBytes
    self.time = time
  }
}

/// Time that is left for one picture, as long as somebody waits for it.
struct DecodingDeadline {
  private let deadline: ContinuousClock.Instant

  init(_ limits: DecodingLimits) {
    deadline = .now + limits.time
  }

  /// Throws `.cancelled` or, when the time is over, `.tooLarge`; asked between stages, and between
  /// rows where a decoder lets one.
  func check() throws(PictureError) {
    if Task.isCancelled { throw .cancelled }
    if ContinuousClock.now > deadline { throw .tooLarge }
  }
}
