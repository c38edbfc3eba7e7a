import MarketModel

/// The fields of v2, members of a JSON object with the pictures beside it.
///
/// The discount's key has the amount taken off. Pictures are files beside the object; an edit may also
/// name those that stay.
struct ProductFields: WireFields {
  let variant: ProductsDialect.Variant

  /// The description's key differs between the years in requests; responses of both have `description`.
  func name(of field: ProductField) -> WireName? {
    switch field {
    case .pictures: WireName("images", or: "images[]")
    case .name: WireName("name", isRequired: true)
    case .currency: WireName("currency", isRequired: true)
    case .price: WireName("price", isRequired: true)
    case .discount: WireName("discounted_price")
    case .stock: WireName("stock")
    case .category: WireName("category")
    case .condition: WireName("condition")
    case .place: WireName("place")
    case .reserved: WireName("reserved")
    case .questionsClosed: WireName("questions_closed")
    case .description:
      WireName(
        "description", or: "descriptions",
        sentAs: variant == .y2022 ? "descriptions" : "description", isRequired: true)
    case .password: WireName("secret")
    case .sellerName, .sellerContact: nil
    }
  }

  /// Fields of both lists and details.
  fileprivate static let rows = ProductField.all(
    beginningWith: [.name, .description, .pictures, .currency, .price, .discount, .stock]
  ).filter { $0.isListed || $0 == .description || $0 == .pictures }
  fileprivate static let listed = ProductField.all(beginningWith: []).filter(\.isListed)
  fileprivate static let further = ProductField.all(beginningWith: []).filter { !$0.isListed }

  func discount(of registration: ProductRegistration) -> Int64? { registration.discountHundredths }

  func discount(of patch: ProductPatch) throws(RepositoryError) -> Int64? {
    switch patch.discount {
    case nil: nil
    case .amount(let hundredths): hundredths
    case .priceToPay, .keepPriceToPay: throw .unsupported
    }
  }

  func set(
    discount: Int64?, into registration: inout ProductRegistration, from reader: inout FieldReader
  ) {
    registration.discountHundredths = discount ?? 0
  }

  func set(discount: Int64?, into patch: inout ProductPatch) {
    patch.discount = discount.map { .amount($0) }
  }

  func write(
    _ pictures: ProductPatch.Pictures, as key: StaticString, to writer: inout RequestWriter
  ) throws(RepositoryError) {
    try writer.order(of: pictures)
  }

  func pictures(from reader: inout FieldReader) -> ProductPatch.Pictures? {
    PictureOrder.read(&reader)
  }

  /// Reads `discounted_price`, the amount taken off, or else `bargain_price`, the price to pay.
  func pricing(in value: JSONValue) -> Pricing {
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
}

/// Reads products of v2, of either year.
struct ProductReader {
  let fields: ProductFields

  /// Reads a product of a list.
  /// - Throws: `.missing` or `.unreadable` for an id, a date, a name or a stock.
  func product(_ value: JSONValue) throws(ResponseDecodingError) -> Product {
    try row(value).product
  }

  func detail(
    _ value: JSONValue, version: ProductVersion?
  ) throws(ResponseDecodingError) -> ProductDetail {
    var detail = try row(value)
    try fields.read(ProductFields.further, in: value, into: &detail)
    readPictures(value, &detail)
    detail.questionCount = Self.count(value, QuestionMember.count)
    detail.unansweredCount = Self.count(value, QuestionMember.unanswered)
    detail.version = version
    return detail
  }

  private static func count(_ value: JSONValue, _ key: StaticString) -> Int {
    value[key]?.number?.integer.map { Int(clamping: max(0, $0)) } ?? 0
  }

  private func row(_ value: JSONValue) throws(ResponseDecodingError) -> ProductDetail {
    let created = try value.date(of: value["created_at"] == nil ? "issued_at" : "created_at")
    let changed = value["issued_at"] == nil ? created : try value.date(of: "issued_at")
    let product = Product(
      id: Product.ID(rawValue: try value.integer(of: "id")), seller: seller(value), name: "",
      pricing: .unreadable, stock: 0, created: created, changed: changed,
      thumbnail: value["thumbnail"]?.address.map { Picture(original: $0, thumbnail: $0) })
    var detail = ProductDetail(product: product)
    try fields.read(ProductFields.listed, in: value, into: &detail)
    return detail
  }

  /// The list's thumbnail is one of the pictures where the response has them, else the only one.
  private func readPictures(_ value: JSONValue, _ detail: inout ProductDetail) {
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

  private func picture(_ value: JSONValue) -> Picture? {
    let thumbnail = value["thumbnail_url"]?.address
    guard let original = value["url"]?.address ?? thumbnail else { return nil }
    return Picture(
      number: value["id"]?.number?.integer, original: original,
      thumbnail: thumbnail ?? original)
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

/// Writes products of v2, with the keys of both years.
struct ProductWriter {
  let fields: ProductFields
  let form: ResponseOptions

  /// Writes a product of a list, with its description or an empty one.
  func write(_ product: Product, description: String, to writer: inout JSONWriter) {
    writer.beginObject()
    writeCommon(ProductDetail(product: product, description: description), to: &writer)
    writer.endObject()
  }

  /// Writes the product of a detail, with all its pictures and its seller.
  func write(_ detail: ProductDetail, to writer: inout JSONWriter) {
    writer.beginObject()
    writeCommon(detail, to: &writer)
    write(
      ProductFields.further.filter { $0 != .description && $0 != .pictures }, of: detail,
      to: &writer)
    if detail.questionCount > 0 {
      writer.member(QuestionMember.count, Int64(detail.questionCount))
    }
    if detail.unansweredCount > 0 {
      writer.member(QuestionMember.unanswered, Int64(detail.unansweredCount))
    }
    writeImages(of: detail, to: &writer)
    write(detail.product.seller, since: detail.product.created, to: &writer)
    writer.endObject()
  }

  private func writeCommon(_ detail: ProductDetail, to writer: inout JSONWriter) {
    let product = detail.product
    writer.member("id", product.id.rawValue)
    writer.member("vendor_id", product.seller.id.rawValue)
    writer.member("vendorName", product.seller.name)
    write(ProductFields.rows, of: detail, to: &writer)
    writer.date("created_at", product.created, form)
    writer.date("issued_at", product.changed, form)
  }

  private func write(
    _ fields: [ProductField], of detail: ProductDetail, to writer: inout JSONWriter
  ) {
    for field in fields {
      guard let key = self.fields.name(of: field)?.key else { continue }
      switch field {
      case .price:
        let price = detail.product.pricing.price
        writer.member(key, hundredths: price?.full.hundredths ?? 0)
        writer.member("bargain_price", hundredths: price?.toPay.hundredths ?? 0)
      case .pictures:
        let thumbnail = detail.product.thumbnail.map { form.pictures.address(of: $0, .thumbnail) }
        writer.member("thumbnail", thumbnail ?? form.pictures.missing)
      case .password: break
      default: writer.member(key, detail[field] ?? field.standard)
      }
    }
  }

  /// Writes all pictures, each with the product's date.
  private func writeImages(
    of detail: ProductDetail, to writer: inout JSONWriter
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

  /// Writes the seller as one object under a plural key.
  ///
  /// The first clients require its dates, and do not show them: they are the product's.
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

/// Members of a detail that count its questions.
private enum QuestionMember {
  static let count: StaticString = "question_count"
  static let unanswered: StaticString = "unanswered_count"
}

/// Members of a seller's object that only our servers write.
enum SellerMember {
  static let contact: StaticString = "contact"
}

extension JSONValue {
  /// The seller's contact; nil where there is no valid one.
  var contact: SellerContact? {
    self[SellerMember.contact]?.text(upTo: .contact).flatMap(SellerContact.init)
  }
}

extension JSONWriter {
  /// Writes a day in the form of v2.
  fileprivate mutating func date(
    _ key: StaticString, _ timestamp: Timestamp, _ form: ResponseOptions
  ) {
    self.key(key)
    plainString { WireDate.append(timestamp, as: form.dates, in: form.timeZone, to: &$0) }
  }
}
