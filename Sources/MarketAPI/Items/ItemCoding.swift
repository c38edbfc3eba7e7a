import MarketModel

/// Reads v1 items as products.
enum ItemReader {
  static func product(_ value: JSONValue) throws(AnswerProblem) -> Product {
    let created = try value.date(of: "registration_date")
    return Product(
      id: Product.ID(rawValue: try value.integer(of: "id")), seller: .guest,
      name: try value.name(of: "title", .productName), pricing: pricing(value),
      stock: try value.stock(),
      created: created, changed: created, thumbnail: pictures(value).first)
  }

  static func detail(_ value: JSONValue) throws(AnswerProblem) -> ProductDetail {
    ProductDetail(
      product: try product(value),
      description: (value["descriptions"] ?? value["description"])?
        .text(upTo: .description) ?? "",
      pictures: pictures(value), version: nil)
  }

  /// `discounted_price` is the price to pay, absent without a discount.
  private static func pricing(_ value: JSONValue) -> Pricing {
    guard let full = value.fullPrice() else { return .unreadable }
    var discount: Int64 = 0
    if let toPay = value["discounted_price"] {
      guard let hundredths = toPay.number?.hundredths, hundredths >= 0 else { return .unreadable }
      discount = full.hundredths.subtractingReportingOverflow(hundredths).partialValue
    }
    return Price(full: full, discountHundredths: discount).map { .readable($0) } ?? .unreadable
  }

  /// Images and thumbnails are two lists in the same order; either may be shorter or absent.
  private static func pictures(_ value: JSONValue) -> [Picture] {
    let originals = addresses(value["images"])
    let thumbnails = addresses(value["thumbnails"])
    return (0..<max(originals.count, thumbnails.count)).compactMap { index in
      let original = index < originals.count ? originals[index] : ""
      let thumbnail = index < thumbnails.count ? thumbnails[index] : ""
      if original.isEmpty, thumbnail.isEmpty { return nil }
      return Picture(
        original: original.isEmpty ? thumbnail : original,
        thumbnail: thumbnail.isEmpty ? original : thumbnail)
    }
  }

  /// Empty ones keep the places of those that follow.
  private static func addresses(_ list: JSONValue?) -> [String] {
    list?.elements.prefix(AnswerLimit.pictures).map { $0.address ?? "" } ?? []
  }
}

/// Writes products as v1 items.
struct ItemWriter {
  let pictures: PictureAddresses

  /// An item of a list.
  func write(_ product: Product, to writer: inout JSONWriter) {
    writer.beginObject()
    writeCommon(product, to: &writer)
    writeAddresses(product.thumbnail.map { [$0] } ?? [], .thumbnail, "thumbnails", to: &writer)
    writer.endObject()
  }

  /// The item of a detail: with its text and all its pictures.
  func write(_ detail: ProductDetail, to writer: inout JSONWriter) {
    writer.beginObject()
    writeCommon(detail.product, to: &writer)
    writer.member("descriptions", detail.description)
    let all = detail.picturesOrThumbnail
    writeAddresses(all, .thumbnail, "thumbnails", to: &writer)
    writeAddresses(all, .original, "images", to: &writer)
    writer.endObject()
  }

  private func writeCommon(_ product: Product, to writer: inout JSONWriter) {
    writer.member("id", product.id.rawValue)
    writer.member("title", product.name)
    let price = product.pricing.price
    // v1 clients read prices as integers.
    let full = price?.full.unitsRoundedUp ?? 0
    let toPay = price?.toPay.unitsRoundedUp ?? 0
    writer.member("price", full)
    writer.member("currency", price?.currency.rawValue ?? Currency.krw.rawValue)
    writer.member("stock", product.stock)
    if toPay < full { writer.member("discounted_price", toPay) }
    writer.key("registration_date")
    writer.seconds(product.created.seconds)
  }

  /// Clients read the first thumbnail without looking whether there is one.
  private func writeAddresses(
    _ all: [Picture], _ rendition: PictureRendition, _ key: StaticString,
    to writer: inout JSONWriter
  ) {
    writer.key(key)
    writer.beginArray()
    for picture in all { writer.string(pictures.address(of: picture, rendition)) }
    if all.isEmpty { writer.string(pictures.missing) }
    writer.endArray()
  }
}
