import MarketModel

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
