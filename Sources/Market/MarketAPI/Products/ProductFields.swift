import MarketModel

extension ProductsDialect {
  /// The fields of v2, members of a JSON object with the pictures beside it.
  var fields: WireFields { variant == .y2022 ? Self.fields2022 : Self.fields2023 }

  private static let fields2022 = fields(sendingTextAs: "descriptions")
  private static let fields2023 = fields(sendingTextAs: "description")

  /// The key of the text in requests differs; answers of both years call it `description`.
  private static func fields(sendingTextAs key: StaticString) -> WireFields {
    WireFields(
      [
        .plain(
          .name, ["name"], .text(.productName), demands: [.registration, .answer],
          registration: \.name, patch: \.name, detail: \.product.name),
        .plain(
          .description, ["description", "descriptions"], sentAs: key, .text(.description),
          demands: .registration, isReadInLists: false, registration: \.description,
          patch: \.description, detail: \.description),
        .price(writePrice, reading: pricing),
        .currency, discount,
        .plain(
          .stock, ["stock"], .integer(StorageRules.stock), demands: .answer,
          registration: \.stock, patch: \.stock, detail: \.product.stock),
        pictures, .password("secret"),
      ],
      answersBeginWith: [.name, .description, .pictures, .currency, .price, .discount, .stock])
  }

  /// The key of the discount names the amount taken off.
  private static let discount = WireField(
    field: .discount, names: ["discounted_price"],
    registration: RequestCoding(
      write: { carrier, writer throws(RepositoryError) in
        try writer.amount(.discount, "discounted_price", carrier.discountHundredths)
      },
      read: { $1.discountHundredths = $0.amount(.discount) ?? 0 }),
    update: RequestCoding(
      write: { update, writer throws(RepositoryError) in
        switch update.patch.discount {
        case nil: break
        case .amount(let hundredths):
          try writer.amount(.discount, "discounted_price", hundredths)
        case .priceToPay, .keepPriceToPay: throw .unsupported
        }
      },
      read: { $1.patch.discount = $0.amount(.discount).map { .amount($0) } }),
    answer: ResponseCoding(row: { detail, _, writer in
      let hundredths = detail.product.pricing.price?.discountHundredths ?? 0
      writer.member("discounted_price", hundredths: hundredths)
    }))

  /// Pictures are files beside the object; an edit may also name those that stay.
  private static let pictures = WireField(
    field: .pictures, names: ["images", "images[]"],
    registration: RequestCoding(
      write: { $1.files = $0.pictures }, read: { $1.pictures = $0.requiredPictures() }),
    update: RequestCoding(
      write: { update, writer throws(RepositoryError) in
        guard let order = PictureOrder(update.patch.pictures) else { throw .unsupported }
        writer.order(order)
      },
      read: { $1.patch.pictures = PictureOrder.read(&$0) }),
    answer: ResponseCoding(
      row: { detail, form, writer in
        let thumbnail = detail.product.thumbnail.map { form.pictures.address(of: $0, .thumbnail) }
        writer.member("thumbnail", thumbnail ?? form.pictures.missing)
      },
      detail: { writeImages(of: $0, $1, to: &$2) },
      read: { value, detail in
        detail.product.thumbnail = value.address(of: "thumbnail").map {
          Picture(original: $0, thumbnail: $0)
        }
      },
      readDetail: { readPictures($0, &$1) }))

  @Sendable private static func writePrice(
    _ detail: ProductDetail, _ form: ResponseOptions, _ writer: inout JSONWriter
  ) {
    let price = detail.product.pricing.price
    writer.member("price", hundredths: price?.full.hundredths ?? 0)
    writer.member("bargain_price", hundredths: price?.toPay.hundredths ?? 0)
  }

  /// `discounted_price` is the amount taken off, `bargain_price` what is left; either will do.
  @Sendable private static func pricing(_ value: JSONValue) -> Pricing {
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

  /// Writes all pictures, each with the product's day.
  private static func writeImages(
    of detail: ProductDetail, _ form: ResponseOptions, to writer: inout JSONWriter
  ) {
    writer.key("images")
    writer.beginArray()
    for (index, picture) in detail.picturesOrThumbnail.enumerated() {
      writer.beginObject()
      writer.member("id", picture.number ?? Int64(index + 1))
      writer.member("url", form.pictures.address(of: picture, .original))
      writer.member("thumbnail_url", form.pictures.address(of: picture, .thumbnail))
      writer.member("succeed", true)
      writer.date("issued_at", detail.product.created, form)
      writer.endObject()
    }
    writer.endArray()
  }

  /// The thumbnail of the list is one of the pictures where they are told, and the only one where
  /// they are not.
  private static func readPictures(_ value: JSONValue, _ detail: inout ProductDetail) {
    let thumbnail = detail.product.thumbnail
    let pictures =
      value["images"]?.elements.prefix(ResponseLimits.pictures).compactMap(picture) ?? []
    let isFirst = { (picture: Picture) in picture.thumbnail == thumbnail?.thumbnail }
    if let first = pictures.first(where: isFirst) ?? pictures.first {
      detail.product.thumbnail = first
      detail.pictures = pictures
    } else {
      detail.pictures = thumbnail.map { [$0] } ?? []
    }
  }

  private static func picture(_ value: JSONValue) -> Picture? {
    let thumbnail = value.address(of: "thumbnail_url")
    guard let original = value.address(of: "url") ?? thumbnail else { return nil }
    return Picture(
      number: value["id"]?.number?.integer, original: original,
      thumbnail: thumbnail ?? original)
  }
}

/// Reads products of v2, of either year.
struct ProductReader {
  let fields: WireFields

  func product(_ value: JSONValue) throws(ResponseDecodingError) -> Product {
    try row(value).product
  }

  func detail(
    _ value: JSONValue, version: ProductVersion?
  ) throws(ResponseDecodingError) -> ProductDetail {
    var detail = try row(value)
    for read in fields.detailReaders { try read(value, &detail) }
    detail.version = version
    return detail
  }

  private func row(_ value: JSONValue) throws(ResponseDecodingError) -> ProductDetail {
    let created = try value.date(of: value["created_at"] == nil ? "issued_at" : "created_at")
    let changed = value["issued_at"] == nil ? created : try value.date(of: "issued_at")
    let product = Product(
      id: Product.ID(rawValue: try value.integer(of: "id")), seller: seller(value), name: "",
      pricing: .unreadable, stock: 0, created: created, changed: changed, thumbnail: nil)
    var detail = ProductDetail(product: product, description: "", pictures: [], version: nil)
    for read in fields.readers { try read(value, &detail) }
    return detail
  }

  private func seller(_ value: JSONValue) -> Seller {
    let vendor = value["vendors"]
    let id = value["vendor_id"]?.number?.integer ?? vendor?["id"]?.number?.integer ?? 0
    return Seller(
      id: Seller.ID(rawValue: id),
      name: value["vendorName"]?.text(upTo: .sellerName)
        ?? vendor?["name"]?.text(upTo: .sellerName) ?? "",
      contact: vendor?.contact)
  }
}

/// Writes products as v2 has them, with the keys of both years.
struct ProductWriter {
  let fields: WireFields
  let form: ResponseOptions

  /// A product of a list, with its text or an empty one.
  func write(_ product: Product, description: String, to writer: inout JSONWriter) {
    let row = ProductDetail(
      product: product, description: description, pictures: [], version: nil)
    writer.beginObject()
    writeCommon(row, to: &writer)
    for write in fields.lists { write(row, form, &writer) }
    writer.endObject()
  }

  /// The product of a detail: with all its pictures and its seller.
  func write(_ detail: ProductDetail, to writer: inout JSONWriter) {
    writer.beginObject()
    writeCommon(detail, to: &writer)
    for write in fields.details { write(detail, form, &writer) }
    write(detail.product.seller, since: detail.product.created, to: &writer)
    writer.endObject()
  }

  private func writeCommon(_ detail: ProductDetail, to writer: inout JSONWriter) {
    let product = detail.product
    writer.member("id", product.id.rawValue)
    writer.member("vendor_id", product.seller.id.rawValue)
    writer.member("vendorName", product.seller.name)
    for write in fields.rows { write(detail, form, &writer) }
    writer.date("created_at", product.created, form)
    writer.date("issued_at", product.changed, form)
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
    if let contact = seller.contact { writer.member(SellerMember.contact, contact.text) }
    writer.date("created_at", day, form)
    writer.date("issued_at", day, form)
    writer.endObject()
  }
}

/// Members of a seller's object that only our own markets know.
enum SellerMember {
  static let contact: StaticString = "contact"
}

extension JSONValue {
  /// How a seller wants to be reached; nil where the object says nothing that could be that.
  var contact: SellerContact? {
    self[SellerMember.contact]?.text(upTo: .contact).flatMap(SellerContact.init)
  }
}

extension JSONWriter {
  /// A day as v2 spells it.
  fileprivate mutating func date(
    _ key: StaticString, _ timestamp: Timestamp, _ form: ResponseOptions
  ) {
    self.key(key)
    plainString { WireDate.append(timestamp, as: form.dates, in: form.timeZone, to: &$0) }
  }
}
