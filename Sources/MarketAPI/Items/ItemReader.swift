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
