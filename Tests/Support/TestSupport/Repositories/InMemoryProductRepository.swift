import MarketModel

/// A market in memory: simple and obviously right, to compare with and to test against.
///
/// Every query sorts and filters all products anew. Pictures are kept as they come.
package actor InMemoryProductRepository: ProductRepository, PictureSource {
  private struct Entry {
    var detail: ProductDetail
    /// Nil where any password is the right one.
    var password: String?
    var version = 1
  }

  private var entries: [Product.ID: Entry] = [:]
  private var sellers: [SellerIdentifier: Seller] = [:]
  private var files: [String: [UInt8]] = [:]
  /// What each key came with and was answered.
  private var keys: [Author: [IdempotencyKey: (ProductRegistration, ProductDetail)]] = [:]
  private var cursors: [PageCursor: Product] = [:]
  private var lastNumber: Int64 = 0
  private let now: @Sendable () -> Int64

  /// - Parameters:
  ///   - details: what the market holds at first; any password changes these.
  ///   - now: the clock, in seconds since 1970.
  package init(
    _ details: [ProductDetail] = [], now: @escaping @Sendable () -> Int64 = { 1_750_000_000 }
  ) {
    self.now = now
    for detail in details { entries[detail.id] = Entry(detail: detail) }
    lastNumber = details.map(\.id.rawValue).max() ?? 0
  }

  /// A market of plain products with the ids 1 to `count`.
  package init(count: Int64) {
    self.init(Product.samples(1...max(1, count)).map { .sample(of: $0) })
  }

  package func capabilities() async throws(RepositoryError) -> RepositoryCapabilities { .full }

  // MARK: Reading

  package func page(_ request: PageRequest) async throws(RepositoryError) -> ProductPage {
    let size = min(max(request.size, 1), 1_000)
    let query = request.query
    let matches = entries.values.filter { $0.detail.matches(request.query) }
      .map(\.detail.product).sorted { query.places($0, before: $1) }
    let start = try start(of: request, in: matches)
    let products = matches.dropFirst(start).prefix(size).map { product in
      var product = product
      product.seller.contact = nil
      return product
    }
    var next: PagePosition?
    if start + products.count < matches.count, let last = products.last {
      let cursor = PageCursor(rawValue: "cursor-\(cursors.count)")
      cursors[cursor] = last
      next = .after(cursor)
    }
    return ProductPage(products: products, total: .exactly(matches.count), next: next)
  }

  package func total(of query: ProductQuery) async throws(RepositoryError) -> ProductTotal {
    .exactly(entries.values.count { $0.detail.matches(query) })
  }

  private func start(
    of request: PageRequest, in matches: [Product]
  ) throws(RepositoryError) -> Int {
    switch request.position {
    case .first: return 0
    case .number(let number):
      let (start, overflow) = max(0, number - 1).multipliedReportingOverflow(by: request.size)
      return overflow ? matches.count : start
    case .after(let cursor):
      guard let last = cursors[cursor] else { throw .unknownCursor }
      return matches.firstIndex { request.query.places(last, before: $0) } ?? matches.count
    }
  }

  package func detail(of id: Product.ID) async throws(RepositoryError) -> ProductDetail {
    try entry(of: id).detail
  }

  package func bytes(
    of picture: Picture, _ rendition: PictureRendition
  ) async throws(PictureError) -> [UInt8] {
    guard let file = files[picture.locator(of: rendition)] else { throw .missing }
    return file
  }

  private func entry(of id: Product.ID) throws(RepositoryError) -> Entry {
    guard let entry = entries[id] else { throw .notFound }
    return entry
  }

  // MARK: Writing

  package func register(
    _ registration: ProductRegistration, by author: Author, key: IdempotencyKey
  ) async throws(RepositoryError) -> ProductDetail {
    if let (earlier, answer) = keys[author]?[key] {
      guard earlier.fieldValues == registration.fieldValues,
        earlier.pictures == registration.pictures
      else { throw .keyReused }
      return entries[answer.id]?.detail ?? answer
    }
    let problems = StorageRules.problems(of: registration)
    guard problems.isEmpty else { throw .invalid(problems) }
    lastNumber += 1
    let id = Product.ID(rawValue: lastNumber)
    let pictures = registration.pictures.enumerated().map { index, file in
      keep(file, number: id.rawValue * 100 + Int64(index))
    }
    let instant = Timestamp(seconds: now())
    let product = Product(
      id: id, seller: seller(behind: author), name: "", pricing: .unreadable, stock: 0,
      created: instant, changed: instant, thumbnail: pictures.first)
    var detail = ProductDetail(
      product: product, description: "", pictures: pictures,
      version: ProductVersion(rawValue: "1"))
    detail.set(registration.fieldValues)
    entries[id] = Entry(detail: detail, password: registration.password.text)
    keys[author, default: [:]][key] = (registration, detail)
    return detail
  }

  package func update(
    _ id: Product.ID, with patch: ProductPatch, password: Password, by author: Author,
    expecting expected: ProductVersion?
  ) async throws(RepositoryError) -> ProductDetail {
    try await verify(password, for: id, by: author)
    var entry = try entry(of: id)
    if let expected, expected != entry.detail.version { throw .conflict(current: entry.detail) }
    let problems = StorageRules.problems(of: patch, over: entry.detail)
    guard problems.isEmpty else { throw .invalid(problems) }
    guard !patch.isEmpty else { return entry.detail }
    entry.detail.apply(patch, changed: now()) { file in
      lastNumber += 1
      return keep(file, number: lastNumber * 100)
    }
    entry.version += 1
    entry.detail.version = ProductVersion(rawValue: String(entry.version))
    entries[id] = entry
    return entry.detail
  }

  package func delete(
    _ id: Product.ID, password: Password, by author: Author
  ) async throws(RepositoryError) -> ProductDetail {
    try await verify(password, for: id, by: author)
    let detail = try entry(of: id).detail
    entries[id] = nil
    let used = Set(entries.values.flatMap { $0.detail.pictures }.flatMap(\.locators))
    files = files.filter { used.contains($0.key) }
    return detail
  }

  private func keep(_ file: [UInt8], number: Int64) -> Picture {
    let original = "file-\(Array(file))"
    let picture = Picture(number: number, original: original, thumbnail: original + "-small")
    files[picture.original] = file
    files[picture.thumbnail] = Array(file.prefix(16))
    return picture
  }
}

// MARK: Sellers

extension InMemoryProductRepository {
  package func verify(
    _ password: Password, for id: Product.ID, by author: Author
  ) async throws(RepositoryError) {
    let entry = try entry(of: id)
    let owner = entry.detail.product.seller.id
    if case .seller = author, owner != Seller.guest.id, owner != seller(behind: author).id {
      throw .notOwner
    }
    // Swift compares texts by what they mean, in any normalization form.
    guard entry.password == nil || entry.password == password.text else { throw .wrongPassword }
  }

  package func seller(of identifier: SellerIdentifier) async throws(RepositoryError) -> Seller? {
    sellers[identifier]
  }

  package func change(
    _ identifier: SellerIdentifier, _ change: SellerChange
  ) async throws(RepositoryError) -> Seller {
    let problems = StorageRules.sellerName(change.name)
    guard problems.isEmpty else { throw .invalid(problems) }
    let seller = change.applied(to: seller(behind: .seller(identifier)))
    sellers[identifier] = seller
    for id in entries.keys where entries[id]?.detail.product.seller.id == seller.id {
      entries[id]?.detail.product.seller = seller
    }
    return seller
  }

  private func seller(behind author: Author) -> Seller {
    guard case .seller(let identifier) = author else { return .guest }
    if let known = sellers[identifier] { return known }
    let seller = Seller(unnamed: Seller.ID(rawValue: Int64(sellers.count) + 1))
    sellers[identifier] = seller
    return seller
  }
}

extension Password {
  /// The bytes, to be compared; in tests only.
  fileprivate var text: String { withBytes { String(decoding: $0, as: UTF8.self) } }
}
