import MarketModel
import SQLiteKit
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
    let columns = ProductColumns.archived

    let read = ColumnRow.read(of: stored, columns) { columns.product(in: $0) }

    // Pictures have a table of their own.
    #expect(read.archived.map { differentProperties($0, Self.sample) } == ["pictures"])
  }

  @Test func `what lists and details read leaves out nothing that they show`() throws {
    let columns = ProductColumns.listed + ProductColumns.detailed
    let picture = Picture(number: 8, hash: Self.hash)
    let blank = Product(
      id: Product.ID(rawValue: 0), seller: Seller(id: Seller.ID(rawValue: 0), name: ""), name: "",
      pricing: .unreadable, stock: 0, created: Timestamp(seconds: 0),
      changed: Timestamp(seconds: 0), thumbnail: nil)

    let read = ColumnRow.read(of: stored, columns) { columns.product(in: $0) }
    let detail = try #require(read.detail(with: [picture]))

    #expect(sameProperties(detail.product, blank) == [])
    #expect(
      sameProperties(
        detail, ProductDetail(product: blank, description: "", pictures: [], version: nil)) == [])
    #expect(detail.product.pricing == .readable(Self.sample.price))
    #expect(detail.product.thumbnail == picture)
  }

  @Test func `every column of the two tables of products is inserted`() {
    let inserted = (ProductColumns.inserted + ProductColumns.insertedTexts).selection
    let read = ProductColumns.listed + ProductColumns.detailed + ProductColumns.archived

    for column in read.all where [.product, .text].contains(column.table) {
      #expect(inserted.contains("\(column.table.rawValue).\(column.name)"), "\(column.name)")
    }
  }

  @Test func `an edit that changes nothing writes what is there`() throws {
    let columns = ProductColumns.listed + ProductColumns.detailed
    let detail = try #require(
      ColumnRow.read(of: stored, columns) { columns.product(in: $0) }.detail(with: []))

    let edited = StoredProduct(detail, changed: Self.sample.changed)

    for written in [ProductColumns.changed, ProductColumns.changedTexts] {
      #expect(written.values(of: edited) == written.values(of: stored), "\(written.names)")
    }
  }
}

/// Bytes of a row that holds what some columns have of a product.
private final class ColumnRow {
  private let columns: UnsafeMutableBufferPointer<UnsafeRawBufferPointer?>

  /// Gives `body` the row.
  static func read<Value>(
    of product: StoredProduct, _ columns: ProductColumns, _ body: (StoredRow) throws -> Value
  ) rethrows -> Value {
    let row = ColumnRow(columns.values(of: product))
    return try body(StoredRow(UnsafeBufferPointer(row.columns), of: row))
  }

  private init(_ values: [SQLValue]) {
    columns = .allocate(capacity: values.count)
    _ = columns.initialize(from: values.map { Self.bytes(of: $0).map(Self.kept) })
  }

  private static func bytes(of value: SQLValue) -> [UInt8]? {
    switch value {
    case .integer(let number): number.map { withUnsafeBytes(of: $0.bigEndian) { Array($0) } }
    case .text(let text): text.map { Array($0.utf8) }
    case .blob(let bytes): bytes
    default: nil
    }
  }

  private static func kept(_ bytes: [UInt8]) -> UnsafeRawBufferPointer {
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
    copy.copyBytes(from: bytes)
    return UnsafeRawBufferPointer(copy)
  }
}
