import MarketModel

/// Reads products of v2, of either year.
enum ProductReader {
  static func product(_ value: JSONValue) throws(AnswerProblem) -> Product {
    let created = try value.date(of: value["created_at"] == nil ? "issued_at" : "created_at")
    let changed = value["issued_at"] == nil ? created : try value.date(of: "issued_at")
    return Product(
      id: Product.ID(rawValue: try value.integer(of: "id")), seller: seller(value),
      name: try value.name(of: "name", .productName), pricing: pricing(value),
      stock: try value.stock(),
      created: created, changed: changed,
      thumbnail: value.address(of: "thumbnail").map { Picture(original: $0, thumbnail: $0) })
  }

  static func detail(
    _ value: JSONValue, version: ProductVersion?
  ) throws(AnswerProblem) -> ProductDetail {
    var product = try product(value)
    var pictures = value["images"]?.elements.prefix(AnswerLimit.pictures).compactMap(picture) ?? []
    let isFirst = { (picture: Picture) in picture.thumbnail == product.thumbnail?.thumbnail }
    if let first = pictures.first(where: isFirst) ?? pictures.first {
      product.thumbnail = first
    } else {
      pictures = product.thumbnail.map { [$0] } ?? []
    }
    return ProductDetail(
      product: product,
      description: (value["description"] ?? value["descriptions"])?
        .text(upTo: .description) ?? "",
      pictures: pictures, version: version)
  }

  static func seller(_ value: JSONValue) -> Seller {
    let vendor = value["vendors"]
    let id = value["vendor_id"]?.number?.integer ?? vendor?["id"]?.number?.integer ?? 0
    return Seller(
      id: Seller.ID(rawValue: id),
      name: value["vendorName"]?.text(upTo: .sellerName)
        ?? vendor?["name"]?.text(upTo: .sellerName) ?? "")
  }

  /// `discounted_price` is the amount taken off, `bargain_price` what is left; either will do.
  private static func pricing(_ value: JSONValue) -> Pricing {
    guard let full = value.fullPrice() else { return .unreadable }
    var discount: Int64 = 0
    if let amount = value["discounted_price"] {
      guard let hundredths = amount.number?.hundredths else { return .unreadable }
      discount = hundredths
    } else if let toPay = value["bargain_price"] {
      guard let hundredths = toPay.number?.hundredths, hundredths >= 0 else { return .unreadable }
      discount = full.hundredths.subtractingReportingOverflow(hundredths).partialValue
    }
    return Price(full: full, discountHundredths: discount).map { .readable($0) } ?? .unreadable
  }

  private static func picture(_ value: JSONValue) -> Picture? {
    let thumbnail = value.address(of: "thumbnail_url")
    guard let original = value.address(of: "url") ?? thumbnail else { return nil }
    return Picture(
      number: value["id"]?.number?.integer, original: original,
      thumbnail: thumbnail ?? original)
  }
}

/// Writes products as v2 has them, with the keys of both years.
struct ProductWriter {
  let pictures: PictureAddresses
  let dateForm: WireDate.Form

  /// A product of a list.
  ///
  /// - Parameters:
  ///   - product: the product.
  ///   - description: its text; empty where the repository lists products without it.
  ///   - writer: where it is written.
  func write(_ product: Product, description: String, to writer: inout JSONWriter) {
    writer.beginObject()
    writeCommon(product, description: description, to: &writer)
    writer.endObject()
  }

  /// The product of a detail: with all its pictures and its seller.
  func write(_ detail: ProductDetail, to writer: inout JSONWriter) {
    writer.beginObject()
    writeCommon(detail.product, description: detail.description, to: &writer)
    writer.key("images")
    writer.beginArray()
    for (index, picture) in detail.picturesOrThumbnail.enumerated() {
      writer.beginObject()
      writer.member("id", picture.number ?? Int64(index + 1))
      writer.member("url", pictures.address(of: picture, .original))
      writer.member("thumbnail_url", pictures.address(of: picture, .thumbnail))
      writer.member("succeed", true)
      writer.date("issued_at", detail.product.created, dateForm)
      writer.endObject()
    }
    writer.endArray()
    write(detail.product.seller, since: detail.product.created, to: &writer)
    writer.endObject()
  }

  private func writeCommon(
    _ product: Product, description: String, to writer: inout JSONWriter
  ) {
    let price = product.pricing.price
    writer.member("id", product.id.rawValue)
    writer.member("vendor_id", product.seller.id.rawValue)
    writer.member("vendorName", product.seller.name)
    writer.member("name", product.name)
    writer.member("description", description)
    let thumbnail = product.thumbnail.map { pictures.address(of: $0, .thumbnail) }
    writer.member("thumbnail", thumbnail ?? pictures.missing)
    writer.member("currency", price?.currency.rawValue ?? Currency.krw.rawValue)
    writer.member("price", hundredths: price?.full.hundredths ?? 0)
    writer.member("bargain_price", hundredths: price?.toPay.hundredths ?? 0)
    writer.member("discounted_price", hundredths: price?.discountHundredths ?? 0)
    writer.member("stock", product.stock)
    writer.date("created_at", product.created, dateForm)
    writer.date("issued_at", product.changed, dateForm)
  }

  /// Writes the one object under a plural key.
  ///
  /// The first clients require its dates and nobody shows them: the product's day stands in for the
  /// seller's.
  private func write(_ seller: Seller, since day: Timestamp, to writer: inout JSONWriter) {
    writer.key("vendors")
    writer.beginObject()
    writer.member("id", seller.id.rawValue)
    writer.member("name", seller.name)
    writer.date("created_at", day, dateForm)
    writer.date("issued_at", day, dateForm)
    writer.endObject()
  }
}

extension JSONWriter {
  /// A day as v2 spells it.
  mutating func date(_ key: StaticString, _ timestamp: Timestamp, _ form: WireDate.Form) {
    self.key(key)
    plainString { WireDate.append(timestamp, as: form, to: &$0) }
  }
}
