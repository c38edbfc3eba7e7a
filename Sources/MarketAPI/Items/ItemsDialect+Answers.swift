import MarketModel

/// The client half: answers to results.
extension ItemsDialect {
  package func page(
    from response: HTTPResponse, for request: PageRequest
  ) throws(RepositoryError) -> ProductPage {
    try check(response, .page(request))
    let rows = try response.read { page throws(AnswerProblem) in
      try PageRows(of: page, in: "items", reading: ItemReader.product)
    }
    let number = request.position.pageNumber
    return ProductPage(
      products: rows.products, total: .unknown,
      next: rows.isEmpty || number == .max ? nil : .number(number + 1),
      unreadableRows: rows.unreadable)
  }

  package func detail(
    from response: HTTPResponse, for operation: MarketOperation
  ) throws(RepositoryError) -> ProductDetail {
    try check(response, operation)
    return try response.read(ItemReader.detail)
  }

  package func deleted(
    from response: HTTPResponse, for operation: MarketOperation
  ) throws(RepositoryError) -> ProductDetail? {
    try check(response, operation)
    return try response.readDeleted(ItemReader.detail)
  }

  private func check(
    _ response: HTTPResponse, _ operation: MarketOperation
  ) throws(RepositoryError) {
    guard !response.status.isSuccess else { return }
    throw FailureReading(
      names: .items, hidesWrongPasswords: true, current: { try? ItemReader.detail($0) }
    ).error(of: response, to: operation)
  }
}
