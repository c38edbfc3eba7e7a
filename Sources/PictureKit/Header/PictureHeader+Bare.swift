internal import MarketModel

extension PictureHeader {
  /// The same still picture in the same format and with the same coded pixels, and nothing else:
  /// no metadata, no further frames, nothing behind its end.
  ///
  /// `bytes` is the file of this header; `PictureError.undecodable` is thrown where it is cut off.
  func bareFile(from bytes: [UInt8]) throws(PictureError) -> [UInt8] {
    let bare =
      switch coding {
      case .jpeg(let header): header.bareFile(from: bytes)
      case .png(let header): header.bareFile(from: bytes)
      case .webp(let header): header.bareFile(from: bytes)
      case .gif(let header): header.bareFile(from: bytes)
      }
    guard let bare else { throw .undecodable }
    return bare
  }
}
