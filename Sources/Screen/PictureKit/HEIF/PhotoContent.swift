package import MarketModel

/// Kind of a seller's file by its first bytes.
package enum PhotoContent: Hashable, Sendable {
  case picture(PictureFormat)
  /// HEIC or AVIF, which `HEIFDecoder` decodes.
  case heif
  case video
  case other

  package init(sniffing bytes: [UInt8]) {
    if let format = PictureFormat(sniffing: bytes) {
      self = .picture(format)
    } else if let brands = Self.brands(of: bytes) {
      self = brands.isDisjoint(with: Self.heifBrands) ? .video : .heif
    } else {
      self = Self.isVideo(bytes) ? .video : .other
    }
  }

  /// Brands of pictures (ISO/IEC 23008-12 and AV1 Image File Format).
  private static let heifBrands: Set<ChunkName> = [
    "heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "mif2", "msf1", "miaf", "avif", "avis",
  ]

  /// Brands of the box `ftyp` (ISO/IEC 14496-12, 4.3); nil where the file does not begin with it.
  private static func brands(of bytes: [UInt8]) -> Set<ChunkName>? {
    guard let length = bytes.bigEndian32(at: 0), ChunkName(bytes, at: 4) == "ftyp" else {
      return nil
    }
    let end = min(length, bytes.count, 256)
    return Set(
      stride(from: 8, to: max(8, end), by: 4).compactMap { ChunkName(bytes, at: $0) })
  }

  /// Whether a file is an old QuickTime film, Matroska, WebM, AVI or MPEG.
  private static func isVideo(_ bytes: [UInt8]) -> Bool {
    let boxes: [ChunkName] = ["moov", "mdat", "wide"]
    if let box = ChunkName(bytes, at: 4), boxes.contains(box) { return true }
    return [0x1A45_DFA3, 0x0000_01BA, 0x0000_01B3].contains(bytes.bigEndian32(at: 0))
      || ChunkName(bytes, at: 0) == "RIFF" && ChunkName(bytes, at: 8) == "AVI "
  }
}
