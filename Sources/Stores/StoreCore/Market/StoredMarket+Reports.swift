import MarketModel
import SQLiteKit

/// Reports to the operators of a market in a SQL database.
extension StoredMarket {
  package func report(_ report: NewReport, by author: Author) async throws(RepositoryError) {
    guard report.problems.isEmpty else { throw .invalid(report.problems) }
    let (key, now) = (author.sellerKey, now())
    let origin: [UInt8]
    if let key {
      origin = key.hash
    } else {
      origin = try await authenticationCode(for: Array("reporter\n\(report.network)".utf8))
    }
    try await write(isRepeatable: false) { database throws(StoreError) -> Outcome<Void> in
      if let key { try database.sellers.lock(key) }
      if try database.read(database.sellers.isBlocked(key)) { return .failure(.blocked) }
      let product: Product.ID
      switch report.subject {
      case .product(let id): product = id
      case .question(let id):
        guard let question = try database.questions.locked(id), !question.isHidden else {
          return .failure(.notFound)
        }
        product = question.question.product
      }
      guard try database.products.lockedDetail(of: product) != nil else {
        return .failure(.notFound)
      }
      let reporter =
        try key.map { key throws(StoreError) in try database.sellers.seller(key) } ?? .guest
      let isNew = try database.reports.insert(
        report, of: product, by: reporter.id, from: origin, now: now)
      return isNew ? .success(()) : .failure(.questionRefused(.alreadyReported))
    }
  }

  package func reports(
    below id: Report.ID?, atMost limit: Int
  ) async throws(RepositoryError) -> [Report] {
    try await read(.statements) { database throws(StoreError) in
      try database.reports.open(below: id, atMost: limit)
    }
  }

  package func report(_ id: Report.ID) async throws(RepositoryError) -> Report {
    let report = try await read(.statements) { database throws(StoreError) in
      try database.reports.open(id)
    }
    guard let report else { throw .notFound }
    return report
  }

  package func dismissReport(_ id: Report.ID) async throws(RepositoryError) {
    try await write(isRepeatable: true) { database throws(StoreError) -> Outcome<Void> in
      try database.reports.close(id) ? .success(()) : .failure(.notFound)
    }
  }

  package func openReportCount() async throws(RepositoryError) -> Int {
    try await read(.statements) { database throws(StoreError) in
      Int(try database.reports.openCount())
    }
  }
}

extension MarketDatabase {
  var reports: ReportTable { ReportTable(database: self) }
}
