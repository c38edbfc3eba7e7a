import MarketModel

/// The server half: requests to operations, and results to answers.
extension ItemsDialect {
  package func owns(_ target: RequestTarget) -> Bool {
    ItemsRoute(segments: target.segments) != nil
  }

  package func operation(
    from request: HTTPRequest
  ) throws(RequestProblem) -> MarketOperation? {
    guard let route = ItemsRoute(segments: request.target.segments) else { return nil }
    switch (route, request.method) {
    case (.page(let number), .get), (.page(let number), .head):
      guard let number else { throw .malformed(part: "page", reason: "must be 1 or more") }
      return .page(PageRequest(position: .page(number), size: Self.pageSize))
    case (.item(let id), .get), (.item(let id), .head): return .detail(id)
    case (.items, .post):
      return .register(
        try Self.fields.registration(from: try fields(of: request)), .guest,
        request.idempotencyKey)
    case (.item(let id), .patch):
      return try Self.fields.edit(of: id, by: .guest, from: try fields(of: request))
    case (.item(let id), .delete):
      return .delete(id, try Self.fields.password(from: try fields(of: request)), .guest)
    case (.page, _): throw .methodNotAllowed([.get, .head])
    case (.items, _): throw .methodNotAllowed([.post])
    case (.item, _): throw .methodNotAllowed([.get, .head, .patch, .delete])
    }
  }

  private func fields(of request: HTTPRequest) throws(RequestProblem) -> RequestFields {
    try RequestFields(of: request, fields: Self.fields)
  }

  /// Whether a deletion is the first clients': they send the product's number along with the
  /// password, and read nothing but the number.
  private func isEarlyDeletion(_ request: HTTPRequest) -> Bool {
    (try? fields(of: request))?["id"] != nil
  }
}

extension ItemsDialect {
  package func response(
    with result: MarketResult, to operation: MarketOperation, in request: HTTPRequest,
    pictures: PictureAddresses
  ) -> HTTPResponse {
    let items = ItemWriter(pictures: pictures)
    var writer: JSONWriter
    switch (result, operation) {
    case (.page(let page), .page(let request)):
      writer = JSONWriter(capacity: 64 + page.products.count * 320)
      writer.beginObject()
      writer.member("page", Int64(request.position.pageNumber))
      writer.key("items")
      writer.beginArray()
      for product in page.products { items.write(product, to: &writer) }
      writer.endArray()
      writer.endObject()
    case (.detail(let detail), .delete) where isEarlyDeletion(request):
      writer = JSONWriter()
      writer.beginObject()
      writer.member("id", detail.id.rawValue)
      writer.endObject()
    case (.detail(let detail), _):
      writer = JSONWriter(capacity: 1_024 + detail.description.utf8.count)
      items.write(detail, to: &writer)
    case (.picture(let bytes), .picture(let address)):
      return .picture(bytes, at: address)
    case (.healthy, _), (.page, _), (.deletionToken, _), (.seller, _), (.picture, _):
      return HTTPResponse(.internalServerError)
    }
    return .json(.ok, writer.bytes)
  }

  package func response(
    failing error: RepositoryError, to operation: MarketOperation, pictures: PictureAddresses
  ) -> HTTPResponse {
    failures.response(to: error) { detail in
      var writer = JSONWriter()
      ItemWriter(pictures: pictures).write(detail, to: &writer)
      return writer.bytes
    }
  }

  package func response(to problem: RequestProblem) -> HTTPResponse {
    failures.response(to: problem)
  }
}
