import MarketAPI
import MarketModel
import TextCoding

extension ProductLine {
  /// Writes what a list or a detail knows of a product, under the names of an archive.
  ///
  /// The values are raw, but nothing in the line acts on a terminal: control characters are escaped.
  ///
  /// - Parameters:
  ///   - product: the product; a price that cannot be read is left out.
  ///   - description: its text; nil where it is not known.
  /// - Returns: the line with its line feed.
  package static func bytes(_ product: Product, description: String?) -> [UInt8] {
    var json = JSONWriter(capacity: 512)
    json.beginObject()
    json.member("id", product.id.rawValue)
    json.member("name", product.name)
    if let description { json.member("description", description) }
    if let price = product.pricing.price { write(price, to: &json) }
    json.member("stock", product.stock)
    json.member("created", product.created.seconds)
    json.member("changed", product.changed.seconds)
    write(ArchivedSeller(id: product.seller.id, name: product.seller.name), to: &json)
    json.endObject()
    return escapingControls(json.bytes) + [0x0A]
  }

  /// Escapes U+0080 to U+009F, which JSON allows in strings and some terminals obey.
  private static func escapingControls(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    for byte in bytes {
      if (0x80...0x9F).contains(byte), result.last == 0xC2 {
        result.removeLast()
        result += Array("\\u00".utf8) + Hexadecimal.text(of: [byte]).utf8
      } else {
        result.append(byte)
      }
    }
    return result
  }
}
