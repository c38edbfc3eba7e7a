extension Collection<UInt8> {
  /// Whether the bytes are UTF-8 from end to end.
  package var isUTF8: Bool { String(validating: self, as: UTF8.self) != nil }

  /// The bytes behind the byte order mark that UTF-8 may begin with.
  package var withoutMark: SubSequence {
    dropFirst(starts(with: ByteOrderMark.bytes) ? ByteOrderMark.bytes.count : 0)
  }
}

/// Byte order mark as UTF-8 has it: editors and spreadsheets put it in front of a text.
package enum ByteOrderMark {
  package static let bytes: [UInt8] = [0xEF, 0xBB, 0xBF]
}
