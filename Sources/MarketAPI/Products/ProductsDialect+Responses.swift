import MarketModel

/// The server half: results to answers.
extension ProductsDialect {
  package func response(
    with result: MarketResult, to operation: MarketOperation, pictures: PictureAddresses
  ) -> HTTPResponse {
    let products = ProductWriter(pictures: pictures, dateForm: dateForm)
    return switch (result, operation) {
    // The quotes belong to the body: clients compare with them.
    case (.healthy, _): .json(.ok, Array("\"OK\"".utf8))
    case (.page(let page), .page(let request)):
      .json(.ok, PageWriter(products: products).write(page, for: request))
    case (.detail(let detail), _):
      .json(status(for: operation), body(detail, products), headers: tag(of: detail, operation))
    case (.deletionToken(let token), .requestDeletion(_, _, _, let route)):
      text(route == .secret ? token : ProductsRoute.product(token).target.path)
    case (.seller(let seller), _): .json(.ok, body(seller))
    case (.picture(let bytes), .picture(let address)): .picture(bytes, at: address)
    case (.page, _), (.deletionToken, _), (.picture, _): HTTPResponse(.internalServerError)
    }
  }

  package func response(
    failing error: RepositoryError, to operation: MarketOperation, pictures: PictureAddresses
  ) -> HTTPResponse {
    let products = ProductWriter(pictures: pictures, dateForm: dateForm)
    var response = failures.response(to: error) { body($0, products) }
    if case .conflict(let current) = error, let version = current.version {
      response.headers[HeaderName.entityTag] = EntityTag(value: version.rawValue).text
    }
    return response
  }

  /// The statuses that clients insist on; 204 never, for some throw on it.
  private func status(for operation: MarketOperation) -> HTTPStatus {
    switch operation {
    case .register: .created
    case .verify, .update: .accepted
    default: .ok
    }
  }

  private func body(_ detail: ProductDetail, _ products: ProductWriter) -> [UInt8] {
    var writer = JSONWriter(capacity: 2_048 + detail.description.utf8.count)
    products.write(detail, to: &writer)
    return writer.bytes
  }

  private func body(_ seller: Seller) -> [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("id", seller.id.rawValue)
    writer.member("name", seller.name)
    writer.endObject()
    return writer.bytes
  }

  /// The version of a product that still is; a deleted one has none.
  private func tag(of detail: ProductDetail, _ operation: MarketOperation) -> HTTPHeaders {
    if case .confirmDeletion = operation { return [:] }
    guard let version = detail.version else { return [:] }
    return [HeaderName.entityTag: EntityTag(value: version.rawValue).text]
  }

  private func text(_ text: String) -> HTTPResponse {
    HTTPResponse(
      .ok,
      headers: [
        HeaderName.contentType: "text/plain; charset=utf-8", HeaderName.cacheControl: "no-store",
        HeaderName.extensions: "1",
      ],
      body: Array(text.utf8))
  }
}
