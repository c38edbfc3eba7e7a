import MarketModel

/// The client half: answers to results.
extension ItemsDialect {
  package func page(
    from response: HTTPResponse, for request: PageRequest
  ) throws(RepositoryError) -> ProductPage {
    try check(response, .page(request))
    do throws(AnswerProblem) {
      let rows = try PageRows(
        of: try response.json(), in: "items", reading: ItemReader.product)
      let number = request.position.pageNumber
      return ProductPage(
        products: rows.products, total: .unknown,
        next: rows.isEmpty || number == .max ? nil : .number(number + 1),
        unreadableRows: rows.unreadable)
    } catch { throw error.error }
  }

  package func detail(
    from response: HTTPResponse, for operation: MarketOperation
  ) throws(RepositoryError) -> ProductDetail {
    try check(response, operation)
    do throws(AnswerProblem) {
      return try ItemReader.detail(try response.json())
    } catch { throw error.error }
  }

  package func deleted(
    from response: HTTPResponse, for operation: MarketOperation
  ) throws(RepositoryError) -> ProductDetail? {
    try check(response, operation)
    do throws(AnswerProblem) {
      return try response.deleted(ItemReader.detail)
    } catch { throw error.error }
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
