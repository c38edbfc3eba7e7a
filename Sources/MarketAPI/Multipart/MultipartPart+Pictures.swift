import MarketModel

extension MultipartPart {
  /// Picture files as parts of one name, each called by its number and told by its bytes.
  static func pictures(_ files: [[UInt8]], named name: StaticString) -> [MultipartPart] {
    files.enumerated().map { index, bytes in
      let format = PictureFormat(sniffing: bytes) ?? .jpeg
      return MultipartPart(
        name: name.description, filename: "\(index + 1).\(format.fileExtension)",
        contentType: format.mediaType, bytes: bytes)
    }
  }
}
