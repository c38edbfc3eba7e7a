import MarketModel

/// The client half: operations to requests.
extension ProductsDialect {
  package func request(for operation: MarketOperation) throws(RepositoryError) -> HTTPRequest {
    switch operation {
    case .health: HTTPRequest(.get, ProductsRoute.health.target)
    case .page(let request):
      HTTPRequest(
        .get,
        RequestTarget(
          path: ProductsRoute.products.target.path, query: PageParameters.write(request)))
    case .detail(let id): HTTPRequest(.get, ProductsRoute.product(id).target)
    case .register(let registration, let author, let key):
      try request(registering: registration, by: author, key)
    case .verify(let id, let password, let author):
      json(.patch, .product(id), try headers(author), secret(password))
    case .update(let update): try request(updating: update)
    case .requestDeletion(let id, let password, let author, let route):
      json(.post, .deletion(id, route), try headers(author), secret(password))
    case .confirmDeletion(let key, let author):
      HTTPRequest(.delete, target(of: key), headers: try headers(author))
    case .seller(let identifier):
      HTTPRequest(.get, ProductsRoute.seller.target, headers: try headers(.seller(identifier)))
    case .rename(let identifier, let name):
      json(.patch, .seller, try headers(.seller(identifier)), body { $0.member("name", name) })
    case .picture(let address): HTTPRequest(.get, RequestTarget(path: address.path))
    case .delete: throw .unsupported
    }
  }

  private func request(
    registering registration: ProductRegistration, by author: Author, _ key: IdempotencyKey?
  ) throws(RepositoryError) -> HTTPRequest {
    let params = body { writer in
      writer.member("name", registration.name)
      writer.member(descriptionKey, registration.description)
      writer.member("price", hundredths: registration.price.hundredths)
      writer.member("currency", registration.price.currency.rawValue)
      writer.member("discounted_price", hundredths: registration.discountHundredths)
      writer.member("stock", registration.stock)
      writer.key("secret")
      writer.password(registration.password)
    }
    var request = form(.post, .products, try headers(author), params, registration.pictures)
    request.idempotencyKey = key
    return request
  }

  private func request(updating update: ProductUpdate) throws(RepositoryError) -> HTTPRequest {
    var headers = try headers(update.author)
    if let expected = update.expected {
      headers.add(EntityTag(value: expected.rawValue).text, for: HeaderName.ifMatch)
    }
    let patch = update.patch
    let discount = try amount(of: patch.discount)
    let order = try order(of: patch.pictures)
    let params = body { writer in
      if let name = patch.name { writer.member("name", name) }
      if let description = patch.description { writer.member(descriptionKey, description) }
      if let price = patch.priceHundredths { writer.member("price", hundredths: price) }
      if let currency = patch.currency { writer.member("currency", currency.rawValue) }
      if let discount { writer.member("discounted_price", hundredths: discount) }
      if let stock = patch.stock { writer.member("stock", stock) }
      order.write(to: &writer)
      writer.key("secret")
      writer.password(update.password)
    }
    if order.files.isEmpty { return json(.patch, .product(update.id), headers, params) }
    return form(.patch, .product(update.id), headers, params, order.files)
  }

  private func amount(
    of discount: ProductPatch.Discount?
  ) throws(RepositoryError) -> Int64? {
    switch discount {
    case nil: return nil
    case .amount(let hundredths): return hundredths
    case .priceToPay, .keepPriceToPay: throw .unsupported
    }
  }

  private func order(
    of pictures: ProductPatch.Pictures?
  ) throws(RepositoryError) -> PictureOrder {
    guard let order = PictureOrder(pictures) else { throw .unsupported }
    return order
  }

  /// The key of the text in requests; answers of both years call it `description`.
  private var descriptionKey: StaticString {
    variant == .y2022 ? "descriptions" : "description"
  }

  private func headers(_ author: Author) throws(RepositoryError) -> HTTPHeaders {
    guard case .seller(let identifier) = author else { throw .unsupported }
    return [HeaderName.identifier: identifier.secret]
  }

  private func target(of key: DeletionKey) -> RequestTarget {
    switch key {
    case .key(let key, let id): ProductsRoute.keyedDeletion(id, key).target
    case .path(let path): RequestTarget(path: path)
    }
  }

  private func secret(_ password: Password) -> [UInt8] {
    body { writer in
      writer.key("secret")
      writer.password(password)
    }
  }

  private func body(_ write: (inout JSONWriter) -> Void) -> [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    write(&writer)
    writer.endObject()
    return writer.bytes
  }

  private func json(
    _ method: HTTPMethod, _ route: ProductsRoute, _ headers: HTTPHeaders, _ body: [UInt8]
  ) -> HTTPRequest {
    var headers = headers
    headers.add("application/json", for: HeaderName.contentType)
    return HTTPRequest(method, route.target, headers: headers, body: body)
  }

  private func form(
    _ method: HTTPMethod, _ route: ProductsRoute, _ headers: HTTPHeaders, _ params: [UInt8],
    _ files: [[UInt8]]
  ) -> HTTPRequest {
    let params = MultipartPart(name: "params", contentType: "application/json", bytes: params)
    let pictures = MultipartPart.pictures(files, named: FieldNames.products.name(of: .pictures))
    let form = MultipartForm(parts: [params] + pictures).encoded()
    var headers = headers
    headers.add(form.contentType, for: HeaderName.contentType)
    return HTTPRequest(method, route.target, headers: headers, body: form.body)
  }
}
