/// An EXIF block: a TIFF directory, of which only the orientation matters here (EXIF 2.32, 4.6.2).
struct EXIFBlock {
  private let bytes: [UInt8]
  private let isLittleEndian: Bool

  /// - Parameter block: begins with "II" or "MM", or with "Exif" and two zeros before that.
  init?(_ block: ArraySlice<UInt8>) {
    let prefix = Array("Exif\0\0".utf8)
    let tiff = block.starts(with: prefix) ? block.dropFirst(prefix.count) : block
    // A directory that names the orientation lies near the start; the rest may be megabytes.
    bytes = Array(tiff.prefix(65_536))
    switch bytes.prefix(2) {
    case [0x49, 0x49]: isLittleEndian = true
    case [0x4D, 0x4D]: isLittleEndian = false
    default: return nil
    }
  }

  /// Upright where the block says nothing, or nonsense.
  var orientation: PictureOrientation {
    guard let directory = integer32(at: 4), let count = integer16(at: directory) else {
      return .upright
    }
    let entries = (0..<count).lazy.map { directory + 2 + $0 * 12 }
    guard let entry = entries.first(where: { integer16(at: $0) == 0x0112 }),
      integer16(at: entry + 2) == 3, let value = integer16(at: entry + 8)
    else { return .upright }
    return PictureOrientation(rawValue: value) ?? .upright
  }

  private func integer16(at offset: Int) -> Int? {
    isLittleEndian ? bytes.littleEndian16(at: offset) : bytes.bigEndian16(at: offset)
  }

  private func integer32(at offset: Int) -> Int? {
    isLittleEndian ? bytes.littleEndian32(at: offset) : bytes.bigEndian32(at: offset)
  }
}
