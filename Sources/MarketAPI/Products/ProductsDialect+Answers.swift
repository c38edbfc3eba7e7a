import MarketModel

/// The client half: answers to results.
extension ProductsDialect {
  package func page(
    from response: HTTPResponse, for request: PageRequest
  ) throws(RepositoryError) -> ProductPage {
    try check(response, .page(request))
    return try response.read { value throws(AnswerProblem) in
      let rows = try PageRows(of: value, in: "pages", reading: ProductReader.product)
      let total = (value["totalCount"] ?? value["total_count"])?.number?.integer
      return ProductPage(
        products: rows.products,
        total: total.flatMap { Int(exactly: $0) }.map { .exactly(max(0, $0)) } ?? .unknown,
        next: rows.isEmpty ? nil : next(value, after: request),
        unreadableRows: rows.unreadable)
    }
  }

  package func detail(
    from response: HTTPResponse, for operation: MarketOperation
  ) throws(RepositoryError) -> ProductDetail {
    try check(response, operation)
    return try response.read { value throws(AnswerProblem) in
      try ProductReader.detail(value, version: version(in: response))
    }
  }

  package func deleted(
    from response: HTTPResponse, for operation: MarketOperation
  ) throws(RepositoryError) -> ProductDetail? {
    try check(response, operation)
    return try response.readDeleted { value throws(AnswerProblem) in
      try ProductReader.detail(value, version: nil)
    }
  }

  /// Reads the answer to `.health`: some servers leave out the quotes.
  package func isHealthy(_ response: HTTPResponse) -> Bool {
    response.status.isSuccess
      && String(decoding: response.body.prefix(16), as: UTF8.self).unquoted == "OK"
  }

  /// Reads the answer to `.seller` and `.rename`.
  package func seller(
    from response: HTTPResponse, for operation: MarketOperation
  ) throws(RepositoryError) -> Seller {
    try check(response, operation)
    return try response.read { value throws(AnswerProblem) in
      Seller(
        id: Seller.ID(rawValue: try value.integer(of: "id")),
        name: try value.name(of: "name", .sellerName))
    }
  }

  /// Reads the answer to `.requestDeletion`: a bare key or a path, with quotes or without.
  ///
  /// - Parameters:
  ///   - response: the server's answer.
  ///   - operation: the `.requestDeletion` that was sent.
  /// - Returns: what the second step sends.
  /// - Throws: as all answers do, and `.badAnswer` for what cannot be a key.
  package func deletionKey(
    from response: HTTPResponse, for operation: MarketOperation
  ) throws(RepositoryError) -> DeletionKey {
    try check(response, operation)
    let text = String(decoding: response.body.prefix(2_048), as: UTF8.self).unquoted
    guard case .requestDeletion(let id, _, _, let route) = operation, !text.isEmpty,
      text.utf8.count <= 1_024, text.utf8.allSatisfy(Self.isAllowedInPath)
    else { throw .badAnswer(.unreadable) }
    if text.hasPrefix("/") {
      guard !text.hasPrefix("//") else { throw .badAnswer(.unreadable) }
      return .path(text)
    }
    guard !text.contains("/") else { throw .badAnswer(.unreadable) }
    return route == .secret ? .key(text, id) : .path(ProductsRoute.product(text).target.path)
  }

  /// What a path may hold (RFC 3986): an answer never chooses a query, a host or a header.
  private static func isAllowedInPath(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    default: "/-._~%!$&'()*+,;=:@".utf8.contains(byte)
    }
  }

  private func next(_ value: JSONValue, after request: PageRequest) -> PagePosition? {
    if let cursor = value["nextCursor"]?.string, !cursor.isEmpty,
      cursor.utf8.count <= AnswerLimit.address
    {
      return .after(PageCursor(rawValue: cursor))
    }
    if case .after = request.position { return nil }
    let number = request.position.pageNumber
    let last = (value["lastPage"] ?? value["last_page"])?.number?.integer
    let hasNext = (value["hasNext"] ?? value["has_next"])?.bool ?? last.map { $0 > Int64(number) }
    return hasNext == true && number < .max ? .number(number + 1) : nil
  }

  /// The version of an answer; only servers with our additions mean by it what we do.
  private func version(in response: HTTPResponse) -> ProductVersion? {
    guard response.announcesExtensions, let header = response.headers[HeaderName.entityTag] else {
      return nil
    }
    return EntityTag(parsing: header).map { ProductVersion(rawValue: $0.value) }
  }

  private func check(
    _ response: HTTPResponse, _ operation: MarketOperation
  ) throws(RepositoryError) {
    guard !response.status.isSuccess else { return }
    let version = version(in: response)
    throw FailureReading(
      names: .products, hidesWrongPasswords: false,
      current: { try? ProductReader.detail($0, version: version) }
    ).error(of: response, to: operation)
  }
}

extension String {
  /// Without white space and one pair of quotes around it.
  fileprivate var unquoted: String {
    let text = trimmed
    guard text.utf8.count >= 2, text.hasPrefix("\""), text.hasSuffix("\"") else { return text }
    return String(text.dropFirst().dropLast())
  }
}
