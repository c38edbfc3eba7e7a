internal import MarketModel

/// How one file becomes a bitmap in a box: decided from its header, before anything is allocated.
struct DecodingPlan: Hashable {
  let header: PictureHeader
  /// What the decoder gives.
  let decoded: PixelSize
  /// What is made of it, still as the file's rows lie.
  let result: PixelSize
  private let framing: Framing
  let cost: DecodingCost

  /// - Parameters:
  ///   - bytes: the file.
  ///   - box: what the upright picture is brought into.
  ///   - framing: how.
  ///   - limits: what it may cost.
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
}

extension DecodingPlan {
  /// The part of the decoded pixels that is shown.
  var crop: PixelRectangle {
    switch framing {
    case .fit: PixelRectangle(columns: 0..<decoded.width, rows: 0..<decoded.height)
    case .fill: .middle(of: decoded, shapedLike: result)
    }
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
