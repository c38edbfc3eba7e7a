import MarketModel

extension Product {
  /// A product to test with; everything not named is plain and in order.
  ///
  /// Prices are in whole units of the currency; its age falls as its id rises.
  package static func sample(
    id: Int64 = 1, seller: Seller = .guest, name: String? = nil, price: Int64 = 10_000,
    discount: Int64 = 0, currency: Currency = .krw, stock: Int64 = 3, created: Int64? = nil,
    thumbnail: Picture? = nil
  ) -> Product {
    let instant = Timestamp(seconds: created ?? 1_700_000_000 + id * 60)
    let price = Price(
      full: Money(hundredths: price * 100, currency: currency), discountHundredths: discount * 100)
    return Product(
      id: ID(rawValue: id), seller: seller, name: name ?? "Product \(id)",
      pricing: price.map { .readable($0) } ?? .unreadable, stock: stock, created: instant,
      changed: instant, thumbnail: thumbnail)
  }

  /// Products with these ids, in this order.
  package static func samples(_ ids: some Sequence<Int64>) -> [Product] {
    ids.map { sample(id: $0) }
  }
}

extension ProductDetail {
  /// The detail of a product to test with.
  package static func sample(
    of product: Product = .sample(), description: String = "As good as new.",
    pictures: [Picture]? = nil, version: ProductVersion? = ProductVersion(rawValue: "1")
  ) -> ProductDetail {
    ProductDetail(
      product: product, description: description,
      pictures: pictures ?? product.thumbnail.map { [$0] } ?? [], version: version)
  }
}

extension ProductPage {
  /// A page of products with these ids.
  package static func sample(
    _ ids: some Sequence<Int64>, total: ProductTotal? = nil, next: PagePosition? = nil
  ) -> ProductPage {
    let products = Product.samples(ids)
    return ProductPage(products: products, total: total ?? .exactly(products.count), next: next)
  }
}

extension ProductRegistration {
  /// A registration that keeps all rules; prices are in whole units of the currency.
  package static func sample(
    name: String = "Bicycle", description: String = "As good as new.", price: Int64 = 10_000,
    discount: Int64 = 0, currency: Currency = .krw, stock: Int64 = 3,
    pictures: [[UInt8]] = [PictureFile.jpeg()], password: String = "secret"
  ) -> ProductRegistration {
    ProductRegistration(
      name: name, description: description,
      price: Money(hundredths: price * 100, currency: currency),
      discountHundredths: discount * 100, stock: stock, pictures: pictures,
      password: Password(password))
  }
}
