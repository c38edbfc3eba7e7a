import MarketModel

/// Product as the tables of a market store it: the fields of an archive, with the keys of the rows it
/// references.
package struct StoredProduct: Sendable {
  /// Nil for a new product, which gets the next id.
  package var id: Int64?
  /// Key of its seller.
  package var seller: Int64 = 0
  /// The fields of an archive, except the price, which stands in the amounts below.
  package var product: ArchivedProduct
  package var currency = Currency.krw
  package var full: Int64 = 0
  package var discount: Int64 = 0
  /// Key of its password's hash.
  package var password: Int64 = 0
  /// Keys of its pictures, in order.
  package var pictures: [Int64] = []
  /// Key of the first picture; 0 where there is none.
  package var thumbnail: Int64 = 0
  package var thumbnailHash: [UInt8]?

  /// A product to be inserted; the rows it references exist.
  package init(
    _ product: ArchivedProduct, id: Int64? = nil, seller: Int64, password: Int64 = 0,
    pictures: [Int64] = []
  ) {
    self.id = id
    self.seller = seller
    self.product = product
    (currency, full) = (product.price.currency, product.price.full.hundredths)
    discount = product.price.discountHundredths
    self.password = password
    self.pictures = pictures
    thumbnail = pictures.first ?? 0
  }

  /// A product after an edit, except its price where that is unreadable.
  package init(_ detail: ProductDetail, changed: Int64) {
    let product = detail.product
    var archived = ArchivedProduct(
      name: product.name, description: detail.description,
      price: product.pricing.price ?? Self.nothing, stock: product.stock,
      created: product.created.seconds, changed: changed)
    (archived.category, archived.condition) = (product.category, product.condition)
    (archived.place, archived.isReserved) = (product.place, product.isReserved)
    archived.areQuestionsClosed = detail.areQuestionsClosed
    self.init(archived, id: product.id.rawValue, seller: product.seller.id.rawValue)
  }

  /// An empty product, to be filled from the columns of a row.
  init() {
    product = ArchivedProduct(
      seller: ArchivedSeller(id: nil, name: ""), name: "", price: Self.nothing, stock: 0,
      created: 0, changed: 0, version: 0)
  }

  private static let nothing: Price = {
    guard let price = Price(full: Money(hundredths: 0, currency: .krw)) else {
      preconditionFailure("nothing is a price")
    }
    return price
  }()

  /// Nil for amounts that make no valid price.
  private var price: Price? {
    Price(full: Money(hundredths: full, currency: currency), discountHundredths: discount)
  }

  private var productID: Product.ID? {
    guard let id, StoredNumbers.productIDs.contains(id) else { return nil }
    return Product.ID(rawValue: id)
  }

  private var sellerID: Seller.ID? {
    StoredNumbers.sellerIDs.contains(seller) ? Seller.ID(rawValue: seller) : nil
  }

  package var state: Int { ProductState.of(stock: product.stock, isReduced: discount > 0) }

  /// False without stock.
  package var isReserved: Bool { product.isReserved && product.stock > 0 }

  /// The product as lists show it; nil where it has an invalid id.
  package var listed: Product? {
    guard let id = productID, let seller = sellerID else { return nil }
    var listed = Product(
      id: id, seller: Seller(id: seller, name: product.seller.name), name: product.name,
      pricing: price.map { .readable($0) } ?? .unreadable, stock: product.stock,
      created: Timestamp(seconds: product.created), changed: Timestamp(seconds: product.changed),
      thumbnail: thumbnailHash.flatMap { Picture(number: thumbnail, storedHash: $0) })
    (listed.category, listed.condition) = (product.category, product.condition)
    (listed.place, listed.isReserved) = (product.place, isReserved)
    return listed
  }

  /// The product as its detail shows it; nil where it has an invalid id.
  package func detail(with pictures: [Picture]) -> ProductDetail? {
    guard var listed else { return nil }
    listed.seller.contact = product.seller.contact
    var detail = ProductDetail(
      product: listed, description: product.description, pictures: pictures,
      version: ProductVersion(rawValue: String(product.version)))
    detail.areQuestionsClosed = product.areQuestionsClosed
    return detail
  }

  /// The product without its pictures as archives have it; nil where it has an invalid id or price.
  package var archived: ArchivedProduct? {
    guard let id = productID, let seller = sellerID, let price else { return nil }
    var archived = product
    (archived.id, archived.seller.id, archived.price) = (id, seller, price)
    archived.isReserved = isReserved
    archived.version = max(StorageRules.versions.lowerBound, product.version)
    return archived
  }
}
