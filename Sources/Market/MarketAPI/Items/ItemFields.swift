import MarketModel

/// The fields of v1, each a part of a form; the first clients send them as JSON.
///
/// The discount's key has the price to pay, and is absent without a discount. Pictures are files in
/// requests, and two lists of addresses in responses.
struct ItemFields: WireFields {
  func name(of field: ProductField) -> WireName? {
    switch field {
    case .pictures: WireName("images[]", or: "images")
    case .name: WireName("title", isRequired: true)
    case .currency: WireName("currency", isRequired: true)
    case .price: WireName("price", isRequired: true)
    case .discount: WireName("discounted_price")
    case .stock: WireName("stock", isRequired: true)
    case .category: WireName("category")
    case .condition: WireName("condition")
    case .place: WireName("place")
    case .reserved: WireName("reserved")
    case .questionsClosed: WireName("questions_closed")
    case .description: WireName("descriptions", or: "description", isRequired: true)
    case .password: WireName("password")
    case .sellerName, .sellerContact: nil
    }
  }

  var registrationOrder: [ProductField] { Self.registered }

  private static let registered =
    ProductField.all(beginningWith: [.name, .description, .price, .currency, .stock, .discount])
    + [.password]
  fileprivate static let listed =
    ProductField.all(beginningWith: [.name, .price, .currency, .stock, .discount])
    .filter(\.isListed)
  fileprivate static let further = ProductField.all(beginningWith: []).filter { !$0.isListed }

  func discount(of registration: ProductRegistration) -> Int64? {
    guard registration.discountHundredths > 0 else { return nil }
    return Self.difference(registration.price.hundredths, registration.discountHundredths)
  }

  func discount(of patch: ProductPatch) throws(RepositoryError) -> Int64? {
    switch patch.discount {
    case .priceToPay(let toPay): toPay
    case nil, .keepPriceToPay: nil
    case .amount: throw .unsupported
    }
  }

  func set(
    discount toPay: Int64?, into registration: inout ProductRegistration,
    from reader: inout FieldReader
  ) {
    guard let toPay else { return }
    let price = registration.price.hundredths
    if toPay < 0 {
      reader.report(.discount, .negative)
    } else if toPay > price {
      reader.report(.discount, .abovePrice(priceHundredths: price))
    }
    registration.discountHundredths = Self.difference(price, toPay)
  }

  func set(discount toPay: Int64?, into patch: inout ProductPatch) {
    if let toPay {
      patch.discount = .priceToPay(toPay)
    } else if patch.priceHundredths != nil {
      patch.discount = .keepPriceToPay
    }
    patch.isInUnits = patch.discount != nil
  }

  /// v1 replaces the whole set, so pictures that stay must be sent again as files.
  /// - Throws: `.unsupported` where a picture is not a file.
  func write(
    _ pictures: ProductPatch.Pictures, as key: StaticString, to writer: inout RequestWriter
  ) throws(RepositoryError) {
    guard case .list(let elements) = pictures, pictures.newFiles.count == elements.count else {
      throw .unsupported
    }
    writer.pictures(key, pictures.newFiles)
  }

  func pictures(from reader: inout FieldReader) -> ProductPatch.Pictures? {
    let files = reader.pictures()
    return files.isEmpty ? nil : .list(files.map { .new($0) })
  }

  /// Reads `discounted_price` as the price to pay; it is absent without a discount.
  func pricing(in value: JSONValue) -> Pricing {
    guard let full = value.fullPrice() else { return .unreadable }
    var discount: Int64 = 0
    if let toPay = value["discounted_price"] {
      guard let hundredths = toPay.number?.hundredths, hundredths >= 0 else { return .unreadable }
      discount = Self.difference(full.hundredths, hundredths)
    }
    return Price(full: full, discountHundredths: discount).map { .readable($0) } ?? .unreadable
  }

  private static func difference(_ price: Int64, _ part: Int64) -> Int64 {
    price.subtractingReportingOverflow(part).partialValue
  }

  /// Originals and thumbnails are two lists in the same order; either may be shorter or absent.
  fileprivate static func picturesRead(in value: JSONValue) -> [Picture] {
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

  /// Empty ones remain, so that the indices of the others stay.
  private static func addresses(_ list: JSONValue?) -> [String] {
    list?.elements.prefix(ResponseLimits.pictures).map { $0.address ?? "" } ?? []
  }
}

/// Reads v1 items as products.
enum ItemReader {
  private static let fields = ItemFields()

  /// Reads an item of a list.
  /// - Throws: `.missing` or `.unreadable` for an id, a date, a name or a stock.
  static func product(_ value: JSONValue) throws(ResponseDecodingError) -> Product {
    try row(value).product
  }

  static func detail(_ value: JSONValue) throws(ResponseDecodingError) -> ProductDetail {
    var detail = try row(value)
    try fields.read(ItemFields.further, in: value, into: &detail)
    detail.pictures = ItemFields.picturesRead(in: value)
    return detail
  }

  private static func row(_ value: JSONValue) throws(ResponseDecodingError) -> ProductDetail {
    let created = try value.date(of: "registration_date")
    let product = Product(
      id: Product.ID(rawValue: try value.integer(of: "id")), seller: .guest, name: "",
      pricing: .unreadable, stock: 0, created: created, changed: created,
      thumbnail: ItemFields.picturesRead(in: value).first)
    var detail = ProductDetail(product: product)
    try fields.read(ItemFields.listed, in: value, into: &detail)
    return detail
  }
}

/// Writes products as v1 items.
struct ItemWriter {
  private let fields = ItemFields()
  let pictures: PictureAddresses

  /// Writes an item of a list.
  func write(_ product: Product, to writer: inout JSONWriter) {
    writer.beginObject()
    writeCommon(ProductDetail(product: product), to: &writer)
    write(product.thumbnail.map { [$0] } ?? [], .thumbnail, "thumbnails", to: &writer)
    writer.endObject()
  }

  /// Writes the item of a detail, with its description and all pictures.
  func write(_ detail: ProductDetail, to writer: inout JSONWriter) {
    writer.beginObject()
    writeCommon(detail, to: &writer)
    write(ItemFields.further, of: detail, to: &writer)
    let all = detail.picturesOrThumbnail
    write(all, .thumbnail, "thumbnails", to: &writer)
    write(all, .original, "images", to: &writer)
    writer.endObject()
  }

  private func writeCommon(_ detail: ProductDetail, to writer: inout JSONWriter) {
    writer.member("id", detail.id.rawValue)
    write(ItemFields.listed, of: detail, to: &writer)
    writer.key("registration_date")
    writer.seconds(detail.product.created.seconds)
  }

  private func write(
    _ fields: [ProductField], of detail: ProductDetail, to writer: inout JSONWriter
  ) {
    for field in fields {
      guard let key = self.fields.name(of: field)?.key else { continue }
      switch field {
      case .price: writer.member(key, detail.product.unitPrices.full)
      case .discount:
        let (full, toPay) = detail.product.unitPrices
        if toPay < full { writer.member(key, toPay) }
      case .pictures, .password: break
      default: writer.member(key, detail[field] ?? field.standard)
      }
    }
  }

  /// Clients read the first thumbnail without checking that there is one.
  private func write(
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

extension Product {
  /// The price and the price to pay in whole units, rounded up, as v1 clients read them.
  fileprivate var unitPrices: (full: Int64, toPay: Int64) {
    guard let price = pricing.price else { return (0, 0) }
    return (price.full.unitsRoundedUp, price.toPay.unitsRoundedUp)
  }
}
