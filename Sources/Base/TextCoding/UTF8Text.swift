extension Collection<UInt8> {
  package var isUTF8: Bool { String(validating: self, as: UTF8.self) != nil }

  /// The bytes after an optional UTF-8 byte order mark.
  package var withoutMark: SubSequence {
    dropFirst(starts(with: ByteOrderMark.bytes) ? ByteOrderMark.bytes.count : 0)
  }
}

/// UTF-8 byte order mark, which editors and spreadsheets may write at the beginning of a file.
package enum ByteOrderMark {
  package static let bytes: [UInt8] = [0xEF, 0xBB, 0xBF]
}
