import MarketAPI
import MarketModel
import TextCoding

/// A product as one line of JSON.
package enum ProductLine {
  /// Writes a product; `pictures` are the names of its files in the archive.
  ///
  /// - Returns: the line with its line feed.
  static func bytes(_ product: ArchivedProduct, pictures: [String]) -> [UInt8] {
    var json = JSONWriter(capacity: 512 + product.description.utf8.count)
    json.beginObject()
    if let id = product.id { json.member("id", id.rawValue) }
    json.member("name", product.name)
    json.member("description", product.description)
    write(product.price, to: &json)
    json.member("stock", product.stock)
    json.member("created", product.created)
    json.member("changed", product.changed)
    json.member("version", product.version)
    write(product.seller, to: &json)
    if !product.passwordHash.isEmpty { json.member("passwordHash", product.passwordHash) }
    if !pictures.isEmpty {
      json.key("pictures")
      json.beginArray()
      for name in pictures { json.string(name) }
      json.endArray()
    }
    json.endObject()
    return json.bytes + [0x0A]
  }

  static func write(_ price: Price, to json: inout JSONWriter) {
    json.member("currency", price.currency.rawValue)
    json.member("price", hundredths: price.full.hundredths)
    json.member("discount", hundredths: price.discountHundredths)
  }

  static func write(_ seller: ArchivedSeller, to json: inout JSONWriter) {
    guard seller != .guest else { return }
    json.key("seller")
    json.beginObject()
    if let id = seller.id { json.member("id", id.rawValue) }
    json.member("name", seller.name)
    if let hash = seller.identifierHash {
      json.member("identifierHash", Hexadecimal.text(of: hash))
    }
    json.endObject()
  }
}
