internal import TextCoding

/// Market of this computer by its canonical place, letter by letter: two places are two markets.
///
/// It is `local` for the local market, the real path of a file, and the address of a server: scheme,
/// host and port, and the path below which the market lies. All of it is ASCII, the rest being
/// percent-encoded, for texts that Unicode takes for the same (NFC and NFD) are two names of files.
/// What a person keeps names a market by the number that the private file gave its place.
package struct MarketKey: RawRepresentable, Hashable, Sendable {
  package let rawValue: String

  /// Bytes of the longest key: a path of 4 KB with every byte encoded.
  package static let longest = 3 * 4_096

  package init(rawValue: String) {
    self.rawValue = rawValue
  }

  package static let local = MarketKey(rawValue: "local")

  /// The key of a file by its path without links, from the root on.
  package init(realPath path: String) {
    // By bytes: a character may be more than its slash.
    let names = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    rawValue = names.map { PercentCoding.encode(String(Substring($0))) }.joined(separator: "/")
  }

  package init(server address: WebAddress) {
    rawValue = address.withoutEnding.text
  }
}

// MARK: Former keys

/// Keys as earlier versions made them: a place's text with `-` for what is no letter, digit or
/// point, so that several places could have the same.
extension MarketKey {
  private static let formerFile = "file-"
  private static let formerServer = "server-"

  package var isFormer: Bool {
    rawValue.hasPrefix(Self.formerFile) || rawValue.hasPrefix(Self.formerServer)
  }

  /// The former key of a file, by the path under which it was opened.
  package static func former(ofFile path: String) -> MarketKey {
    MarketKey(rawValue: formerFile + hyphenated(path))
  }

  package static func former(ofServer address: String) -> MarketKey {
    MarketKey(rawValue: formerServer + hyphenated(address))
  }

  /// The keys that this place had, however it was opened then; a file may have had more.
  package var former: [MarketKey] {
    if rawValue.hasPrefix("/") { return [.former(ofFile: location)] }
    guard rawValue.contains("://") else { return [] }
    let slashed = rawValue.hasSuffix("/") ? [] : [MarketKey.former(ofServer: rawValue + "/")]
    return [.former(ofServer: rawValue)] + slashed
  }

  /// Whether it is a file's or a server's, as it was given for its place.
  package var isPlace: Bool {
    rawValue.utf8.allSatisfy { (0x21...0x7E).contains($0) }
      && (rawValue.hasPrefix("/") || WebAddress(rawValue)?.withoutEnding.text == rawValue)
  }

  /// The path or address of a file or a server, as a person knows it.
  package var location: String {
    rawValue.hasPrefix("/") ? PercentCoding.decode(rawValue) : rawValue
  }

  private static func hyphenated(_ text: String) -> String {
    String(text.map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == ".") ? $0 : "-" })
  }
}
