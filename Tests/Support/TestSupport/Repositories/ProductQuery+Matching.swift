import MarketModel

extension ProductDetail {
  /// Whether a query finds this product, by the plainest reading of the rules.
  func matches(_ query: ProductQuery) -> Bool {
    let texts = [product.name, description, product.seller.name].map(words(of:))
    let runs = texts.map { Array($0.joined(separator: [" "])) }
    let wanted = SearchTokenizer().wanted(by: query.text).map(LetterPattern.letters(of:))
    func occurs(_ phrase: String) -> Bool {
      let run = words(of: phrase).joined(separator: [" "]).map(LetterPattern.exactly)
      return runs.contains { run.occur(in: $0) }
    }
    return !query.findsNothing
      && wanted.allSatisfy { letters in runs.contains { letters.occur(in: $0) } }
      && query.phrases.allSatisfy(occurs)
      && !query.without.contains { !words(of: $0).isEmpty && occurs($0) }
      && product.passes(query)
      && (query.place.isEmpty || PlaceKey(query.place)?.beginsWord(of: product.place) ?? true)
  }

  private func words(of text: String) -> [ArraySlice<Unicode.Scalar>] {
    SearchTokenizer().words(of: text)
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

extension Product {
  /// Whether the product's own numbers are as a query wants them.
  fileprivate func passes(_ query: ProductQuery) -> Bool {
    let pays = pricing.price?.toPay
    let isAmong = query.ids?.contains(id) ?? true
    return isAmong && (query.sellers.isEmpty || query.sellers.contains(seller.id))
      && query.filters.allSatisfy(passes)
      && query.price.contains(pays?.hundredths ?? 0)
      && query.choices.allSatisfy { field, values in
        ProductDetail(product: self)[field]?.code.map(values.contains) ?? false
      }
      && (query.since.map { created.seconds >= $0.seconds } ?? true)
  }

  private func passes(_ filter: ProductFilter) -> Bool {
    let isReserved = isReserved && stock > 0
    return switch filter {
    case .inStock: stock > 0
    case .reduced: pricing.price?.isReduced == true
    case .available: stock > 0 && !isReserved
    case .reserved: isReserved
    case .unreserved: !isReserved
    case .sold: stock == 0
    }
  }
}

extension ProductQuery {
  /// Whether one product comes before another: in the order of the numbers where they are asked for.
  func places(_ left: Product, before right: Product) -> Bool {
    guard let ids, let first = ids.firstIndex(of: left.id),
      let second = ids.firstIndex(of: right.id)
    else { return order.places(left, before: right) }
    return first < second
  }
}

extension ProductOrder {
  /// Whether one product comes before another; equal ones come newest first.
  func places(_ left: Product, before right: Product) -> Bool {
    if self != .newest, left.isSoldOut != right.isSoldOut { return right.isSoldOut }
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
