import MarketModel

extension ProductDetail {
  /// Whether a query finds this product, by the plainest reading of the rules.
  func matches(_ query: ProductQuery) -> Bool {
    let texts = [product.name, description, product.seller.name].map { $0.lowercased() }
    let words = query.text.lowercased().split { character in
      character.isWhitespace
        || character.unicodeScalars.allSatisfy { $0.properties.generalCategory == .control }
    }
    return !query.findsNothing
      && words.allSatisfy { word in texts.contains { $0.contains(word) } }
      && (query.sellers.isEmpty || query.sellers.contains(product.seller.id))
      && (!query.filters.contains(.inStock) || !product.isSoldOut)
      && (!query.filters.contains(.reduced) || product.pricing.price?.isReduced == true)
  }

  /// Makes the changes of a patch that keeps the rules.
  mutating func apply(_ patch: ProductPatch, changed: Int64, keep: ([UInt8]) -> Picture) {
    change(by: patch)
    product.changed = Timestamp(seconds: changed)
    switch patch.pictures {
    case nil: break
    case .thumbnail(let number):
      let front = pictures.filter { $0.number == number }
      pictures = front + pictures.filter { $0.number != number }
    case .list(let elements):
      let present = pictures
      pictures = elements.map { element in
        switch element {
        case .kept(let picture): present.first(where: picture.isNamed) ?? picture
        case .new(let file): keep(file)
        }
      }
    }
    product.thumbnail = pictures.first
  }
}

extension ProductOrder {
  /// Whether one product comes before another; equal ones come newest first.
  func places(_ left: Product, before right: Product) -> Bool {
    guard let first = left.pricing.price, let second = right.pricing.price else {
      return left.id > right.id
    }
    switch self {
    case .newest: break
    case .cheapest where first.currency != second.currency,
      .priceDescending where first.currency != second.currency:
      return first.currency < second.currency
    case .cheapest where first.toPay != second.toPay:
      return first.toPay.hundredths < second.toPay.hundredths
    case .priceDescending where first.toPay != second.toPay:
      return first.toPay.hundredths > second.toPay.hundredths
    case .biggestDiscount where first.discountPercent != second.discountPercent:
      return first.discountPercent > second.discountPercent
    case .cheapest, .priceDescending, .biggestDiscount: break
    }
    return left.id > right.id
  }
}

extension Picture {
  var locators: [String] { [original, thumbnail] }
}
