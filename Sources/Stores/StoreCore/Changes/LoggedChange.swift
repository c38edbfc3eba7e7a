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
    case changed, deleted, seller, many

    init(_ kind: ProductChange.Kind) {
      self =
        switch kind {
        case .listed: .listed
        case .changed: .changed
        case .deleted: .deleted
        }
    }

    /// The kind of a change of one product; nil for others.
    var ofProduct: ProductChange.Kind? {
      switch self {
      case .listed: .listed
      case .changed: .changed
      case .deleted: .deleted
      case .seller, .many: nil
      }
    }
  }

  /// The values of its row, in the order of `columnNames`.
  package var columns: [Int64?] {
    switch self {
    case .one(.product(let change)):
      [
        Kind(change.kind).rawValue, change.id.rawValue,
        change.version.flatMap { Int64($0.rawValue) }, change.seller.rawValue,
      ]
    case .one(.question(let change)):
      [change.kind.number, change.product.rawValue, change.id.rawValue, change.seller.rawValue]
    case .one(.seller(let seller)): [Kind.seller.rawValue, nil, nil, seller.rawValue]
    case .many: [Kind.many.rawValue, nil, nil, nil]
    }
  }

  package static let columnNames = "kind, product, version, seller"

  /// The change in a row whose `columnNames` begin at column `first`.
  ///
  /// A kind that only a newer version writes is read as `.many`.
  package init(in row: StoredRow, from first: Int32) {
    let seller = row.integer(first + 3)
    guard let kind = Kind(rawValue: row.integer(first)), StoredNumbers.sellerIDs.contains(seller)
    else {
      self = .many
      return
    }
    let id = Seller.ID(rawValue: seller)
    if kind == .seller {
      self = .one(.seller(id))
    } else if let kind = kind.ofProduct, let product = row.productID(first + 1) {
      let version =
        row.isNull(first + 2)
        ? nil : ProductVersion(rawValue: String(row.count(first + 2)))
      self = .one(
        .product(ProductChange(id: product, kind: kind, version: version, seller: id)))
    } else {
      self = .many
    }
  }
}

/// Questions have a log of their own, which older programs do not read; `ChangeBatch` merges both.
extension LoggedChange {
  package static let questionColumnNames = "kind, product, question, seller"

  /// Whether it is written to the log of questions.
  package var isOfQuestion: Bool {
    if case .one(.question) = self { true } else { false }
  }
}

extension QuestionChange {
  /// The change in a row of the log of questions; nil for a kind of a newer version.
  package init?(in row: StoredRow, from first: Int32) {
    guard let kind = Kind.allCases.first(where: { $0.number == row.integer(first) }),
      let product = row.productID(first + 1)
    else { return nil }
    self.init(
      id: Question.ID(rawValue: row.integer(first + 2)), product: product, kind: kind,
      seller: Seller.ID(rawValue: row.integer(first + 3)))
  }
}

extension QuestionChange.Kind {
  fileprivate var number: Int64 {
    switch self {
    case .asked: 0
    case .answered: 1
    case .deleted: 2
    }
  }
}

extension ChangeBatch {
  /// Merges the changes of both logs by their numbers.
  package init(
    _ products: [(number: Int64, change: MarketChange)],
    _ questions: [(number: Int64, change: QuestionChange?)], cursor: ChangeCursor
  ) {
    let all =
      products
      + questions.compactMap { question in
        question.change.map { (question.number, .question($0)) }
      }
    // Stable: a question may have the number of the product's change before it.
    self.init(
      changes: all.enumerated()
        .sorted { ($0.element.number, $0.offset) < ($1.element.number, $1.offset) }
        .map(\.element.change), cursor: cursor)
  }
}

/// Collects the products added in one transaction for the log.
package struct ListedProducts {
  private var changes: [LoggedChange] = []

  package init() {}

  package mutating func add(_ product: StoredProduct, id: Int64) {
    // One more than the maximum marks the overflow.
    guard changes.count <= LoggedChange.maxReportedAtOnce else { return }
    let change = ProductChange(
      id: Product.ID(rawValue: id), kind: .listed,
      version: ProductVersion(rawValue: String(product.product.version)),
      seller: Seller.ID(rawValue: product.seller))
    changes.append(.one(.product(change)))
  }

  package var logged: [LoggedChange] {
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
  package static let pace: Int64 = 1_024
  /// Maximum number of rows deleted in one trim; more than are added between two trims.
  package static let trimmedAtOnce: Int64 = 2_048
}
