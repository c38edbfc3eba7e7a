import TextCoding

/// Classification of ASCII bytes for the parsers of HTTP, JSON and multipart.
extension UInt8 {
  /// The byte with A to Z in lowercase; all others unchanged.
  var asciiLowercased: UInt8 { (0x41...0x5A).contains(self) ? self | 0x20 : self }

  /// The value of a decimal digit; nil for another byte.
  var decimalDigit: UInt8? { (0x30...0x39).contains(self) ? self - 0x30 : nil }

  /// The value of a hexadecimal digit of either case; nil for another byte.
  var hexadecimalDigit: UInt8? { Hexadecimal.value(of: self) }

  /// Space, tab, carriage return or line feed.
  var isASCIIWhitespace: Bool { self == 0x20 || self == 0x09 || self == 0x0D || self == 0x0A }
}

extension String {
  /// Whether both are equal apart from the case of ASCII letters, as header names are compared.
  func equalsIgnoringASCIICase(_ other: String) -> Bool {
    utf8.count == other.utf8.count
      && utf8.elementsEqual(other.utf8) { $0.asciiLowercased == $1.asciiLowercased }
  }

  /// Without ASCII white space at both ends.
  var trimmed: String {
    guard let start = utf8.firstIndex(where: { !$0.isASCIIWhitespace }),
      let end = utf8.lastIndex(where: { !$0.isASCIIWhitespace })
    else { return "" }
    return String(self[start...end])
  }
}
