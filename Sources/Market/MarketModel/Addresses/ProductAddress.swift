internal import TextCoding

/// Address of a product for browsers and programs: `<market>/products/ID`, by http or https.
///
/// Users paste, type or click it, so its parts must be unambiguous: the host (`WebAddress`), the
/// market's path, and the number.
package struct ProductAddress: Hashable, Sendable {
  /// Market's address, without a trailing slash unless the path is `/`.
  package let market: WebAddress
  package let product: Product.ID

  /// Scheme of links that a desktop passes to this program; such a link is otherwise an https
  /// address.
  package static let scheme = "openmarket:"

  /// Path component before the number.
  package static let segment = "products"
  private static let folder = "/" + segment
  /// Maximum bytes of an address; longer ones are invalid.
  private static let longest = 1_000
  /// Maximum bytes of a text that is searched for an address; longer ones have none.
  private static let maxTextLength = 4_000

  /// Creates the address of a product at a market; nil where it would not parse again, as below a
  /// path with `..`.
  package init?(_ product: Product.ID, in market: WebAddress) {
    let market = market.withoutEnding
    let address = market.appending("\(Self.folder)/\(product.rawValue)")
    guard product.rawValue > 0, address.text.utf8.count <= Self.longest,
      Self.isPlain(market.path)
    else { return nil }
    (self.market, self.product) = (market, product)
  }

  /// Parses an address or link; query and fragment, which only select a representation, are ignored.
  package init?(_ text: String) {
    guard text.utf8.count <= Self.longest, let address = WebAddress(Self.onWeb(text)) else {
      return nil
    }
    let path = address.path
    guard let end = path.lastIndex(of: "/"), path[..<end].hasSuffix(Self.folder),
      let product = Self.number(path[end...].dropFirst())
    else { return nil }
    let market = path[..<end].dropLast(Self.folder.count)
    guard !market.hasSuffix("/") else { return nil }
    self.init(
      product,
      in: WebAddress(origin: address.origin, target: market.isEmpty ? "/" : String(market)))
  }

  package var text: String { market.appending("\(Self.folder)/\(product.rawValue)").text }

  /// Returns the address among the words of a text, such as one that this program copied; nil for
  /// none or several.
  package static func only(in text: String) -> ProductAddress? {
    guard text.utf8.count <= Self.maxTextLength else { return nil }
    let found = Set(text.split(whereSeparator: \.isWhitespace).compactMap { Self(String($0)) })
    return found.count == 1 ? found.first : nil
  }

  /// Whether a text begins like an address, valid or not.
  package static func isBegun(by text: String) -> Bool {
    let text = text.lowercased()
    return ["http://", "https://", scheme].contains(where: text.hasPrefix)
  }
}

extension ProductAddress {
  /// Returns a link of our own scheme as an https address.
  private static func onWeb(_ text: String) -> String {
    guard text.lowercased().hasPrefix(scheme) else { return text }
    let rest = text.dropFirst(scheme.count)
    // Without `//host` the text would be another address within this one.
    return rest.hasPrefix("//") ? "https:" + rest : ""
  }

  /// Parses a number without leading zeros, so that each product has one address.
  private static func number(_ digits: Substring) -> Product.ID? {
    guard digits.first != "0",
      digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
    else { return nil }
    return Int64(digits).map(Product.ID.init(rawValue:))
  }

  /// Whether all components are plain names, so that no proxy or server resolves the path
  /// differently.
  private static func isPlain(_ path: Substring) -> Bool {
    path == "/"
      || path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().allSatisfy {
        let name = PercentCoding.decode($0)
        return !["", ".", ".."].contains(name)
          && !name.utf8.contains { $0 < 0x20 || $0 == 0x7F || "/\\".utf8.contains($0) }
      }
  }
}
