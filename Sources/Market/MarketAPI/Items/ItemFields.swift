import MarketModel

extension ItemsDialect {
  /// The fields of v1, each a part of a form; the first clients send them in JSON.
  static let fields = WireFields(
    [
      .plain(
        .name, ["title"], .text(.productName), demands: [.registration, .answer],
        registration: \.name, patch: \.name, detail: \.product.name),
      .plain(
        .description, ["descriptions", "description"], .text(.description),
        demands: .registration, isListed: false, registration: \.description,
        patch: \.description, detail: \.description),
      .price({ $2.member("price", $0.product.unitPrices.full) }, reading: pricing),
      .currency,
      discount,
      .plain(
        .stock, ["stock"], .integer(StorageRules.stock), demands: [.registration, .answer],
        registration: \.stock, patch: \.stock, detail: \.product.stock),
      pictures, .password("password"),
    ], answersBeginWith: [.name, .price, .currency, .stock, .discount],
    registrationsBeginWith: [.name, .description, .price, .currency, .stock, .discount])

  /// The key of the discount names the price to pay, and is absent without one.
  private static let discount = WireField(
    field: .discount, names: ["discounted_price"],
    registration: RequestCoding(
      write: { carrier, writer throws(RepositoryError) in
        guard carrier.discountHundredths > 0 else { return }
        try writer.amount(
          .discount, "discounted_price",
          difference(carrier.price.hundredths, carrier.discountHundredths))
      },
      read: { reader, carrier in
        guard let toPay = reader.amount(.discount) else { return }
        let price = carrier.price.hundredths
        if toPay < 0 {
          reader.report(.discount, .negative)
        } else if toPay > price {
          reader.report(.discount, .abovePrice(priceHundredths: price))
        }
        carrier.discountHundredths = difference(price, toPay)
      }),
    update: RequestCoding(
      write: { update, writer throws(RepositoryError) in
        switch update.patch.discount {
        case .priceToPay(let toPay): try writer.amount(.discount, "discounted_price", toPay)
        case nil, .keepPriceToPay: break
        case .amount: throw .unsupported
        }
      },
      read: { reader, update in
        if let toPay = reader.amount(.discount) {
          update.patch.discount = .priceToPay(toPay)
        } else if update.patch.priceHundredths != nil {
          update.patch.discount = .keepPriceToPay
        }
        update.patch.isInUnits = update.patch.discount != nil
      }),
    answer: ResponseCoding(row: { detail, _, writer in
      let (full, toPay) = detail.product.unitPrices
      if toPay < full { writer.member("discounted_price", toPay) }
    }))

  /// Pictures are files in requests, and two lists of addresses in answers.
  private static let pictures = WireField(
    field: .pictures, names: ["images[]", "images"],
    registration: RequestCoding(
      write: { $1.pictures("images[]", $0.pictures) },
      read: { $1.pictures = $0.requiredPictures() }),
    update: RequestCoding(
      write: { update, writer throws(RepositoryError) in
        guard let pictures = update.patch.pictures else { return }
        guard let files = pictures.files else { throw .unsupported }
        writer.pictures("images[]", files)
      },
      read: { reader, update in
        let files = reader.pictures()
        if !files.isEmpty { update.patch.pictures = .list(files.map { .new($0) }) }
      }),
    answer: ResponseCoding(
      list: { detail, form, writer in
        let thumbnail = detail.product.thumbnail.map { [$0] } ?? []
        write(thumbnail, .thumbnail, "thumbnails", form.pictures, to: &writer)
      },
      detail: { detail, form, writer in
        let all = detail.picturesOrThumbnail
        write(all, .thumbnail, "thumbnails", form.pictures, to: &writer)
        write(all, .original, "images", form.pictures, to: &writer)
      },
      read: { $1.product.thumbnail = picturesRead(in: $0).first },
      readDetail: { $1.pictures = picturesRead(in: $0) }))

  /// `discounted_price` is the price to pay, absent without a discount.
  @Sendable private static func pricing(_ value: JSONValue) -> Pricing {
    guard let full = value.fullPrice() else { return .unreadable }
    var discount: Int64 = 0
    if let toPay = value["discounted_price"] {
      guard let hundredths = toPay.number?.hundredths, hundredths >= 0 else { return .unreadable }
      discount = difference(full.hundredths, hundredths)
    }
    return Price(full: full, discountHundredths: discount).map { .readable($0) } ?? .unreadable
  }

  private static func difference(_ price: Int64, _ part: Int64) -> Int64 {
    price.subtractingReportingOverflow(part).partialValue
  }

  /// Images and thumbnails are two lists in the same order; either may be shorter or absent.
  private static func picturesRead(in value: JSONValue) -> [Picture] {
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
    list?.elements.prefix(ResponseLimits.pictures).map { $0.address ?? "" } ?? []
  }

  /// Clients read the first thumbnail without looking whether there is one.
  private static func write(
    _ all: [Picture], _ rendition: PictureRendition, _ key: StaticString,
    _ addresses: PictureAddresses, to writer: inout JSONWriter
  ) {
    writer.key(key)
    writer.beginArray()
    for picture in all { writer.string(addresses.address(of: picture, rendition)) }
    if all.isEmpty { writer.string(addresses.missing) }
    writer.endArray()
  }
}

/// Reads v1 items as products.
enum ItemReader {
  static func product(_ value: JSONValue) throws(ResponseDecodingError) -> Product {
    try row(value).product
  }

  static func detail(_ value: JSONValue) throws(ResponseDecodingError) -> ProductDetail {
    var detail = try row(value)
    for read in ItemsDialect.fields.detailReaders { try read(value, &detail) }
    return detail
  }

  private static func row(_ value: JSONValue) throws(ResponseDecodingError) -> ProductDetail {
    let created = try value.date(of: "registration_date")
    let product = Product(
      id: Product.ID(rawValue: try value.integer(of: "id")), seller: .guest, name: "",
      pricing: .unreadable, stock: 0, created: created, changed: created, thumbnail: nil)
    var detail = ProductDetail(product: product, description: "", pictures: [], version: nil)
    for read in ItemsDialect.fields.readers { try read(value, &detail) }
    return detail
  }
}

/// Writes products as v1 items.
struct ItemWriter {
  private let form: ResponseOptions
  private let fields = ItemsDialect.fields

  init(pictures: PictureAddresses) {
    form = ResponseOptions(pictures: pictures)
  }

  /// An item of a list.
  func write(_ product: Product, to writer: inout JSONWriter) {
    write(
      ProductDetail(product: product, description: "", pictures: [], version: nil),
      endingWith: fields.lists, to: &writer)
  }

  /// The item of a detail: with its text and all its pictures.
  func write(_ detail: ProductDetail, to writer: inout JSONWriter) {
    write(detail, endingWith: fields.details, to: &writer)
  }

  private func write(
    _ detail: ProductDetail, endingWith last: [ResponseCoding.Writer], to writer: inout JSONWriter
  ) {
    writer.beginObject()
    writer.member("id", detail.id.rawValue)
    for write in fields.rows { write(detail, form, &writer) }
    writer.key("registration_date")
    writer.seconds(detail.product.created.seconds)
    for write in last { write(detail, form, &writer) }
    writer.endObject()
  }
}

extension Product {
  /// The price and the price to pay in whole units, as v1 clients read them.
  fileprivate var unitPrices: (full: Int64, toPay: Int64) {
    guard let price = pricing.price else { return (0, 0) }
    return (price.full.unitsRoundedUp, price.toPay.unitsRoundedUp)
  }
}

extension ProductPatch.Pictures {
  /// The files of a set that is all new; v1 replaces the whole set, and pictures that stay must be
  /// sent again as files.
  fileprivate var files: [[UInt8]]? {
    guard case .list(let elements) = self else { return nil }
    var files: [[UInt8]] = []
    for element in elements {
      guard case .new(let bytes) = element else { return nil }
      files.append(bytes)
    }
    return files
  }
}
