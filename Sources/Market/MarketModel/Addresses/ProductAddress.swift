internal import TextCoding

/// Address of a product for people, programs and clients alike: `<market>/products/ID`, by http or
/// https.
///
/// It is read where a person pastes, types or clicks one, so that nothing about it may be in doubt:
/// neither its host, as `WebAddress` has it, nor which market it lies below, nor the number.
package struct ProductAddress: Hashable, Sendable {
  /// The market's own address, without a slash at its end unless that is all of its path.
  package let market: WebAddress
  package let product: Product.ID

  /// Scheme of links that a desktop hands to this program; what follows is as in https, which no link
  /// takes away.
  package static let scheme = "openmarket:"

  /// The part of the path before the number.
  package static let segment = "products"
  private static let folder = "/" + segment
  /// Bytes of an address; longer ones are none.
  private static let longest = 1_000
  /// Bytes of a text in which one is looked for.
  private static let maxTextLength = 4_000

  /// The address of a product below a market's; nil where it could not be read again, as below a path
  /// with `..` in it.
  package init?(_ product: Product.ID, in market: WebAddress) {
    let market = market.withoutEnding
    let address = market.appending("\(Self.folder)/\(product.rawValue)")
    guard product.rawValue > 0, address.text.utf8.count <= Self.longest,
      Self.isPlain(market.path)
    else { return nil }
    (self.market, self.product) = (market, product)
  }

  /// Reads an address or a link; query and fragment are passed over, as they name how a page is shown.
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

  /// The one address among the words of a text, such as in what this program copies; nil where there is
  /// none, or more than one.
  package static func only(in text: String) -> ProductAddress? {
    guard text.utf8.count <= Self.maxTextLength else { return nil }
    let found = Set(text.split(whereSeparator: \.isWhitespace).compactMap { Self(String($0)) })
    return found.count == 1 ? found.first : nil
  }

  /// Whether a text sets out to be an address, whatever else is wrong with it.
  package static func isBegun(by text: String) -> Bool {
    let text = text.lowercased()
    return ["http://", "https://", scheme].contains(where: text.hasPrefix)
  }
}

extension ProductAddress {
  /// A link of our own scheme as the address that it stands for.
  private static func onWeb(_ text: String) -> String {
    guard text.lowercased().hasPrefix(scheme) else { return text }
    let rest = text.dropFirst(scheme.count)
    // What is no host behind two slashes would be another address within this one.
    return rest.hasPrefix("//") ? "https:" + rest : ""
  }

  /// A number as it is written, so that each product has one address.
  private static func number(_ digits: Substring) -> Product.ID? {
    guard digits.first != "0",
      digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
    else { return nil }
    return Int64(digits).map(Product.ID.init(rawValue:))
  }

  /// Whether all parts of a path are names, so that nobody on the way resolves it to another one.
  private static func isPlain(_ path: Substring) -> Bool {
    path == "/"
      || path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().allSatisfy {
        let name = PercentCoding.decode($0)
        return !["", ".", ".."].contains(name)
          && !name.utf8.contains { $0 < 0x20 || $0 == 0x7F || "/\\".utf8.contains($0) }
      }
  }
}
