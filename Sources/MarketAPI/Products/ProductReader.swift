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
