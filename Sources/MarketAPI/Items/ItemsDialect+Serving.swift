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
      return .register(try registration(from: request), .guest, request.idempotencyKey)
    case (.item(let id), .patch): return try edit(of: id, from: request)
    case (.item(let id), .delete): return try deletion(of: id, from: request)
    case (.page, _): throw .methodNotAllowed([.get, .head])
    case (.items, _): throw .methodNotAllowed([.post])
    case (.item, _): throw .methodNotAllowed([.get, .head, .patch, .delete])
    }
  }

  private func registration(
    from request: HTTPRequest
  ) throws(RequestProblem) -> ProductRegistration {
    var reader = FieldReader(try RequestFields(of: request, names: .items), names: .items)
    let pictures = reader.requiredPictures()
    let name = reader.required(reader.text(.name), .name)
    let price = reader.required(reader.amount(.price), .price)
    let currency = reader.required(reader.currency(), .currency)
    let toPay = reader.amount(.discount)
    let stock = reader.required(reader.integer(.stock), .stock)
    let description = reader.required(reader.text(.description), .description)
    let password = reader.password()
    let discount = discount(from: price ?? 0, to: toPay, &reader)
    try reader.finish()
    return ProductRegistration(
      name: name ?? "", description: description ?? "",
      price: Money(hundredths: price ?? 0, currency: currency ?? .krw),
      discountHundredths: discount, stock: stock ?? 0, pictures: pictures, password: password)
  }

  /// The amount that a price to pay takes off.
  private func discount(from price: Int64, to toPay: Int64?, _ reader: inout FieldReader) -> Int64 {
    guard let toPay else { return 0 }
    if toPay < 0 {
      reader.report(.discount, .negative)
    } else if toPay > price {
      reader.report(.discount, .abovePrice(priceHundredths: price))
    }
    return price.subtractingReportingOverflow(toPay).partialValue
  }

  private func edit(
    of id: Product.ID, from request: HTTPRequest
  ) throws(RequestProblem) -> MarketOperation {
    var reader = FieldReader(try RequestFields(of: request, names: .items), names: .items)
    var patch = ProductPatch()
    let files = reader.pictures()
    if !files.isEmpty { patch.pictures = .list(files.map { .new($0) }) }
    patch.name = reader.text(.name)
    patch.priceHundredths = reader.amount(.price)
    patch.currency = reader.currency()
    if let toPay = reader.amount(.discount) {
      patch.discount = .priceToPay(toPay)
    } else if patch.priceHundredths != nil {
      patch.discount = .keepPriceToPay
    }
    patch.isInUnits = patch.discount != nil
    patch.stock = reader.integer(.stock)
    patch.description = reader.text(.description)
    let password = reader.password()
    try reader.finish()
    if patch.isEmpty { return .verify(id, password, .guest) }
    return .update(ProductUpdate(id: id, patch: patch, password: password, author: .guest))
  }

  private func deletion(
    of id: Product.ID, from request: HTTPRequest
  ) throws(RequestProblem) -> MarketOperation {
    var reader = FieldReader(try RequestFields(of: request, names: .items), names: .items)
    let password = reader.password()
    try reader.finish()
    return .delete(id, password, .guest)
  }

  /// Whether a deletion is the first clients': they send the product's number along with the
  /// password, and read nothing but the number.
  private func isEarlyDeletion(_ request: HTTPRequest) -> Bool {
    (try? RequestFields(of: request, names: .items))?["id"] != nil
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
