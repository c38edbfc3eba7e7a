import MarketModel

/// Change in the form of a row of a store's log.
package enum LoggedChange: Hashable, Sendable {
  case one(MarketChange)
  /// More changes at once than are reported one by one, as in an import; clients reload their lists.
  case many

  /// Maximum number of products added in one transaction that are logged one by one; more are logged as
  /// `.many`.
  fileprivate static let maxReportedAtOnce = 100
}

// MARK: Rows

extension LoggedChange {
  private enum Kind: Int64 {
    case listed = 0
    case changed, deleted, seller, many, asked, answered, questionDeleted

    init(_ kind: ProductChange.Kind) {
      self =
        switch kind {
        case .listed: .listed
        case .changed: .changed
        case .deleted: .deleted
        }
    }

    init(_ kind: QuestionChange.Kind) {
      self =
        switch kind {
        case .asked: .asked
        case .answered: .answered
        case .deleted: .questionDeleted
        }
    }
  }

  package static let columnNames = "kind, product, version, question, seller"

  /// The values of its row, in the order of `columnNames`.
  package var columns: [Int64?] {
    switch self {
    case .one(.product(let change)):
      [
        Kind(change.kind).rawValue, change.id.rawValue,
        change.version.flatMap { Int64($0.rawValue) }, nil, change.seller.rawValue,
      ]
    case .one(.question(let change)):
      [
        Kind(change.kind).rawValue, change.product.rawValue, nil, change.id.rawValue,
        change.seller.rawValue,
      ]
    case .one(.seller(let seller)): [Kind.seller.rawValue, nil, nil, nil, seller.rawValue]
    case .many: [Kind.many.rawValue, nil, nil, nil, nil]
    }
  }

  /// The change in a row whose `columnNames` begin at column `first`.
  ///
  /// A kind that only a newer version writes is read as `.many`.
  package init(in row: StoredRow, from first: Int32) {
    let seller = Seller.ID(rawValue: row.integer(first + 4))
    guard let kind = Kind(rawValue: row.integer(first)),
      StoredNumbers.sellerIDs.contains(seller.rawValue)
    else {
      self = .many
      return
    }
    self =
      switch kind {
      case .listed: Self.product(.listed, of: seller, in: row, from: first)
      case .changed: Self.product(.changed, of: seller, in: row, from: first)
      case .deleted: Self.product(.deleted, of: seller, in: row, from: first)
      case .seller: .one(.seller(seller))
      case .many: .many
      case .asked: Self.question(.asked, of: seller, in: row, from: first)
      case .answered: Self.question(.answered, of: seller, in: row, from: first)
      case .questionDeleted: Self.question(.deleted, of: seller, in: row, from: first)
      }
  }

  private static func product(
    _ kind: ProductChange.Kind, of seller: Seller.ID, in row: StoredRow, from first: Int32
  ) -> LoggedChange {
    guard let product = row.productID(first + 1) else { return .many }
    let version =
      row.isNull(first + 2) ? nil : ProductVersion(rawValue: String(row.count(first + 2)))
    return .one(
      .product(ProductChange(id: product, kind: kind, version: version, seller: seller)))
  }

  private static func question(
    _ kind: QuestionChange.Kind, of seller: Seller.ID, in row: StoredRow, from first: Int32
  ) -> LoggedChange {
    guard let product = row.productID(first + 1) else { return .many }
    let id = Question.ID(rawValue: row.integer(first + 3))
    return .one(.question(QuestionChange(id: id, product: product, kind: kind, seller: seller)))
  }
}

/// Collects the products added in one transaction for the log.
struct ListedProducts {
  private var changes: [LoggedChange] = []

  mutating func add(_ product: StoredProduct, id: Int64) {
    // One more than the maximum marks the overflow.
    guard changes.count <= LoggedChange.maxReportedAtOnce else { return }
    let change = ProductChange(
      id: Product.ID(rawValue: id), kind: .listed,
      version: ProductVersion(rawValue: String(product.product.version)),
      seller: Seller.ID(rawValue: product.seller))
    changes.append(.one(.product(change)))
  }

  var logged: [LoggedChange] {
    changes.count <= LoggedChange.maxReportedAtOnce ? changes : [.many]
  }
}

/// Retention of a store's log: rows older than `seconds` and not among the newest `count` are deleted.
package struct LogRetention: Sendable {
  package var seconds: Int64
  package var count: Int64

  package init(seconds: Int64, count: Int64) {
    self.seconds = seconds
    self.count = count
  }

  /// One day or 100,000 changes, whichever keeps more.
  package static let standard = LogRetention(seconds: 86_400, count: 100_000)

  /// Changes per trim of the log, on average.
  package static let changesBetweenTrims: Int64 = 1_024
  /// Maximum number of rows deleted in one trim; more than are added between two trims.
  package static let trimmedAtOnce: Int64 = 2_048
}
