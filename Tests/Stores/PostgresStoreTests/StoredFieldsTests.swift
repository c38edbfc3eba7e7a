import MarketModel
import MarketStore
import PostgresStore
import PostgresTestSupport
import StoreCore
import TestSupport
import Testing

/// Every field of a product in both databases, and on the way between them.
@Suite(.enabled(if: TestCluster.isPossible, Comment(rawValue: TestCluster.hint)))
struct StoredFieldsTests {
  /// A product with two pictures, as another market hands it over.
  private static let batch: ImportBatch = {
    var batch = ImportBatch()
    batch.products = [IncomingProduct(identity: [1], product: .complete)]
    for (number, name) in ArchivedProduct.complete.pictures.enumerated() {
      batch.add(picture(UInt8(number)), named: name)
    }
    return batch
  }()

  private static func picture(_ number: UInt8) -> PreparedPicture {
    PreparedPicture(
      bytes: PictureFile.jpeg(number), format: .jpeg, size: PixelSize(width: 4, height: 3),
      thumbnail: [number])
  }

  private func take(_ batch: ImportBatch, into store: any StoredMarket) async throws {
    let run = try await store.beginImport()
    #expect(try await run.prepare(batch)().added == batch.products.count)
    try await run.finish()
  }

  /// All that a store has, as it hands it over.
  private func archive(of store: any StoredMarket) async throws -> ImportBatch {
    let snapshot = try await store.snapshot()
    var batch = ImportBatch()
    for product in try await snapshot.products(after: nil, atMost: 100) {
      batch.products.append(IncomingProduct(identity: [1], product: product))
      for name in product.pictures {
        let bytes = try #require(try await snapshot.file(ofPicture: name))
        let number = try #require((0...1).first { PictureFile.jpeg($0) == bytes })
        batch.add(Self.picture(number), named: name)
      }
    }
    return batch
  }

  @Test func `a product that goes from a file into a database and back loses nothing`() async throws
  {
    let there = try await StorePair()
    let back = try await StorePair()

    try await take(Self.batch, into: there.file)
    let first = try await archive(of: there.file)
    try await take(first, into: there.database)
    let second = try await archive(of: there.database)
    try await take(second, into: back.file)
    let third = try await archive(of: back.file)

    let product = try #require(first.products.first?.product)
    #expect(differentProperties(product, .complete) == ["pictures"])
    #expect(sameProperties(product, .blank) == [])
    #expect(second.products == first.products)
    #expect(third.products == first.products)
    let id = try #require(product.id)
    let detail = try await there.file.detail(of: id)
    #expect(try await there.database.detail(of: id) == detail)
    #expect(try await back.file.detail(of: id) == detail)
    var listed = detail.product
    listed.seller.contact = nil
    #expect(try await there.database.page(PageRequest()).products == [listed])
  }

  @Test func `details leave out nothing that they show`() async throws {
    let stores = try await StorePair()
    let id = try #require(ArchivedProduct.complete.id)
    let blank = Product(
      id: Product.ID(rawValue: 0), seller: Seller(id: Seller.ID(rawValue: 0), name: ""), name: "",
      pricing: .unreadable, stock: 0, created: Timestamp(seconds: 0),
      changed: Timestamp(seconds: 0), thumbnail: nil)
    let nothing = ProductDetail(product: blank, description: "", pictures: [], version: nil)

    for store in stores.both {
      try await take(Self.batch, into: store)
      let detail = try await store.detail(of: id)

      #expect(sameProperties(detail, nothing) == [])
      #expect(sameProperties(detail.product, blank) == [])
    }
  }

  @Test(arguments: ProductField.valued + [.pictures])
  func `an edit leaves every other field as it was`(_ field: ProductField) async throws {
    let value = try #require(FieldValues.plain[field])
    var patch = ProductPatch()
    patch.take([field: value])
    if field == .pictures { patch.pictures = .list([.new(PictureFile.jpeg(3))]) }
    let stores = try await StorePair()
    let hash = try await PasswordHasher(cost: .least).hash(Password("secret"))
    var batch = Self.batch
    batch.products[0].product.passwordHash = hash
    batch.products[0].product.seller = ArchivedSeller(id: nil, name: "Ana")
    let id = try #require(ArchivedProduct.complete.id)

    for store in stores.both {
      try await take(batch, into: store)
      let before = try #require(try await archive(of: store).products.first?.product)
      _ = try await store.update(
        id, with: patch, password: Password("secret"), by: .guest, expecting: nil)
      let snapshot = try await store.snapshot()
      let after = try #require(try await snapshot.products(after: nil, atMost: 1).first)

      var expected = before
      expected.take(before.fieldValues.merging([field: value]) { $1 })
      (expected.changed, expected.version) = (after.changed, before.version + 1)
      if field == .pictures { expected.pictures = after.pictures }
      #expect(after == expected && before[field] != after[field])
    }
  }
}
