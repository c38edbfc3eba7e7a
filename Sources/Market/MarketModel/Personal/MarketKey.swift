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

  package init(rawValue: String) { self.rawValue = rawValue }

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

  /// Whether the key is that of some location.
  package var isCanonical: Bool {
    rawValue.utf8.allSatisfy { (0x21...0x7E).contains($0) }
      && (self == .local || rawValue.hasPrefix("/")
        || WebAddress(rawValue)?.withoutEnding.text == rawValue)
  }
}
