internal import TextCoding

/// Key of a market by its canonical location: two locations are two markets.
///
/// `local` for the local market, the real path of a file, or the address of a server: scheme, host,
/// port, and the path below which the market lies. All of it is ASCII, with the rest percent-encoded,
/// because names that Unicode treats as equal (NFC and NFD) are different files. The private file
/// refers to a market by a number that it assigns to each key.
package struct MarketKey: RawRepresentable, Hashable, Sendable {
  package let rawValue: String

  /// Maximum length in bytes: a path of 4 KB with every byte encoded.
  package static let longest = 3 * 4_096

  package init(rawValue: String) {
    self.rawValue = rawValue
  }

  package static let local = MarketKey(rawValue: "local")

  /// Creates the key of a file from its absolute path without links.
  package init(realPath path: String) {
    // Split by bytes: a character may consist of more than its slash.
    let names = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    rawValue = names.map { PercentCoding.encode(String(Substring($0))) }.joined(separator: "/")
  }

  package init(server address: WebAddress) {
    rawValue = address.withoutEnding.text
  }
}

// MARK: Former keys

/// Keys of earlier versions: the location with `-` for every other character than letter, digit or
/// point, so that several locations could share a key.
extension MarketKey {
  private static let formerFile = "file-"
  private static let formerServer = "server-"

  package var isFormer: Bool {
    rawValue.hasPrefix(Self.formerFile) || rawValue.hasPrefix(Self.formerServer)
  }

  /// Returns the former key of a file, from the path under which it was opened.
  package static func former(ofFile path: String) -> MarketKey {
    MarketKey(rawValue: formerFile + hyphenated(path))
  }

  package static func former(ofServer address: String) -> MarketKey {
    MarketKey(rawValue: formerServer + hyphenated(address))
  }

  /// Former keys of this location, for every way to open a server; a file may have had more.
  package var former: [MarketKey] {
    if rawValue.hasPrefix("/") { return [.former(ofFile: location)] }
    guard rawValue.contains("://") else { return [] }
    let slashed = rawValue.hasSuffix("/") ? [] : [MarketKey.former(ofServer: rawValue + "/")]
    return [.former(ofServer: rawValue)] + slashed
  }

  /// Whether the key is a canonical path or server address.
  package var isPlace: Bool {
    rawValue.utf8.allSatisfy { (0x21...0x7E).contains($0) }
      && (rawValue.hasPrefix("/") || WebAddress(rawValue)?.withoutEnding.text == rawValue)
  }

  /// Path or address, decoded for display.
  package var location: String {
    rawValue.hasPrefix("/") ? PercentCoding.decode(rawValue) : rawValue
  }

  private static func hyphenated(_ text: String) -> String {
    String(text.map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == ".") ? $0 : "-" })
  }
}
