import MarketModel
import StoreCore
import TestSupport
import Testing

@Suite struct ProductColumnTests {
  private static let sample = ArchivedProduct.complete

  /// The sample as it stands in the tables.
  private var stored: StoredProduct {
    var stored = StoredProduct(
      Self.sample, id: Self.sample.id?.rawValue, seller: 17, password: 3, pictures: [8, 9])
    stored.thumbnailHash = Self.hash
    return stored
  }

  private static let hash = [UInt8](repeating: 0xAB, count: 32)

  @Test func `every property of the sample differs from a blank one`() {
    #expect(sameProperties(Self.sample, .blank) == [])
    #expect(sameProperties(Self.sample.seller, ArchivedProduct.blank.seller) == [])
    #expect(sameProperties(Self.sample.price, ArchivedProduct.blank.price) == [])
  }

  @Test func `what the columns hold of a product is read again`() throws {
    let columns = ProductColumn.archived

    let read = columns.product(in: ColumnRow(of: stored, columns))

    // Pictures have a table of their own.
    #expect(read.archived.map { differentProperties($0, Self.sample) } == ["pictures"])
  }

  @Test func `what lists and details read leaves out nothing that they show`() throws {
    let columns = ProductColumn.listed + ProductColumn.detailed
    let picture = Picture(number: 8, hash: Self.hash)
    let blank = Product(
      id: Product.ID(rawValue: 0), seller: Seller(id: Seller.ID(rawValue: 0), name: ""), name: "",
      pricing: .unreadable, stock: 0, created: Timestamp(seconds: 0),
      changed: Timestamp(seconds: 0), thumbnail: nil)

    let read = columns.product(in: ColumnRow(of: stored, columns))
    let detail = try #require(read.detail(with: [picture]))

    #expect(sameProperties(detail.product, blank) == [])
    #expect(
      sameProperties(
        detail, ProductDetail(product: blank, description: "", pictures: [], version: nil)) == [])
    #expect(detail.product.pricing == .readable(Self.sample.price))
    #expect(detail.product.thumbnail == picture)
  }

  @Test func `every column of the two tables of products is inserted`() {
    let inserted = (ProductColumn.inserted + ProductColumn.insertedTexts).selection
    let read = ProductColumn.listed + ProductColumn.detailed + ProductColumn.archived

    for column in read.all where [.product, .text].contains(column.table) {
      #expect(inserted.contains("\(column.table.rawValue).\(column.name)"), "\(column.name)")
    }
  }

  @Test func `an edit that changes nothing writes what is there`() throws {
    let columns = ProductColumn.listed + ProductColumn.detailed
    let detail = try #require(
      columns.product(in: ColumnRow(of: stored, columns)).detail(with: []))

    let edited = StoredProduct(detail, changed: Self.sample.changed)

    for written in [ProductColumn.changed, ProductColumn.changedTexts] {
      #expect(written.areSame(edited, stored), "\(written.names)")
    }
  }
}

/// A row that holds what some columns have of a product.
private struct ColumnRow: StoredRow {
  private let product: StoredProduct
  private let columns: [ProductColumn]

  init(of product: StoredProduct, _ columns: ProductColumns) {
    self.product = product
    self.columns = columns.all
  }

  private func content(_ column: Int32) -> ProductColumn.Content { columns[Int(column)].content }

  func isNull(_ column: Int32) -> Bool {
    switch content(column) {
    case .integer(let get, _): get(product) == nil
    case .text: false
    case .bytes(_, let get, _): get(product) == nil
    }
  }

  func integer(_ column: Int32) -> Int64 {
    guard case .integer(let get, _) = content(column) else { return 0 }
    return get(product) ?? 0
  }

  func text(_ column: Int32, atMost bytes: Int) -> String {
    guard case .text(_, let get, _) = content(column) else { return "" }
    return get(product)
  }

  func bytes(_ column: Int32, atMost count: Int) -> [UInt8]? {
    guard case .bytes(_, let get, _) = content(column) else { return nil }
    return get(product)
  }
}
