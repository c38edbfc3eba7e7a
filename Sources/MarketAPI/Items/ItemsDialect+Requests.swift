import MarketModel

/// The client half: operations to requests.
extension ItemsDialect {
  package func request(for operation: MarketOperation) throws(RepositoryError) -> HTTPRequest {
    switch operation {
    case .page(let request): HTTPRequest(.get, ItemsRoute.page(try number(of: request)).target)
    case .detail(let id): HTTPRequest(.get, ItemsRoute.item(id).target)
    case .register(let registration, _, let key):
      try request(registering: registration, key)
    case .verify(let id, let password, _): form(.patch, .item(id), [self.password(password)])
    case .update(let update):
      form(
        .patch, .item(update.id),
        try parts(of: update.patch) + [password(update.password)])
    case .delete(let id, let password, let echo): deletion(of: id, password, echo)
    case .picture(let address): HTTPRequest(.get, RequestTarget(path: address.path))
    case .health, .requestDeletion, .confirmDeletion, .seller, .rename: throw .unsupported
    }
  }

  private func request(
    registering registration: ProductRegistration, _ key: IdempotencyKey?
  ) throws(RepositoryError) -> HTTPRequest {
    var request = form(
      .post, .items, try parts(of: registration) + [password(registration.password)])
    request.idempotencyKey = key
    return request
  }

  private func number(of request: PageRequest) throws(RepositoryError) -> Int {
    guard request.query == ProductQuery() else { throw .unsupported }
    switch request.position {
    case .first: return 1
    case .number(let number): return number
    case .after: throw .unsupported
    }
  }

  private func parts(
    of registration: ProductRegistration
  ) throws(RepositoryError) -> [MultipartPart] {
    var parts = [
      text(.name, registration.name), text(.description, registration.description),
      try amount(.price, registration.price.hundredths),
      text(.currency, registration.price.currency.rawValue),
      text(.stock, String(registration.stock)),
    ]
    if registration.discountHundredths > 0 {
      let toPay = registration.price.hundredths
        .subtractingReportingOverflow(registration.discountHundredths).partialValue
      parts.append(try amount(.discount, toPay))
    }
    return parts + files(registration.pictures)
  }

  private func parts(of patch: ProductPatch) throws(RepositoryError) -> [MultipartPart] {
    var parts: [MultipartPart] = []
    if let name = patch.name { parts.append(text(.name, name)) }
    if let description = patch.description { parts.append(text(.description, description)) }
    if let price = patch.priceHundredths { parts.append(try amount(.price, price)) }
    if let currency = patch.currency { parts.append(text(.currency, currency.rawValue)) }
    switch patch.discount {
    case .priceToPay(let toPay): parts.append(try amount(.discount, toPay))
    case nil, .keepPriceToPay: break
    case .amount: throw .unsupported
    }
    if let stock = patch.stock { parts.append(text(.stock, String(stock))) }
    switch patch.pictures {
    case nil: break
    case .thumbnail: throw .unsupported
    case .list(let elements):
      // v1 replaces the whole set: pictures that stay must be sent again as files.
      var files: [[UInt8]] = []
      for element in elements {
        guard case .new(let bytes) = element else { throw .unsupported }
        files.append(bytes)
      }
      parts += self.files(files)
    }
    return parts
  }

  private func text(_ field: ProductField, _ text: String) -> MultipartPart {
    MultipartPart(name: FieldNames.items.name(of: field).description, text: text)
  }

  /// - Throws: `.invalid` for a fraction: servers of 2021 read whole numbers.
  private func amount(
    _ field: ProductField, _ hundredths: Int64
  ) throws(RepositoryError) -> MultipartPart {
    guard hundredths % 100 == 0 else { throw .invalid([FieldError(field, .notWhole)]) }
    var digits: [UInt8] = []
    digits.appendAmount(hundredths: hundredths)
    return MultipartPart(name: FieldNames.items.name(of: field).description, bytes: digits)
  }

  private func files(_ files: [[UInt8]]) -> [MultipartPart] {
    MultipartPart.pictures(files, named: FieldNames.items.name(of: .pictures))
  }

  private func password(_ password: Password) -> MultipartPart {
    MultipartPart(
      name: FieldNames.items.name(of: .password).description,
      bytes: password.withBytes { Array($0) })
  }

  private func form(
    _ method: HTTPMethod, _ route: ItemsRoute, _ parts: [MultipartPart]
  ) -> HTTPRequest {
    let form = MultipartForm(parts: parts).encoded()
    return HTTPRequest(
      method, route.target, headers: [HeaderName.contentType: form.contentType], body: form.body)
  }

  private func deletion(
    of id: Product.ID, _ password: Password, _ echo: DeletionEcho
  ) -> HTTPRequest {
    var writer = JSONWriter()
    writer.beginObject()
    if echo == .number { writer.member("id", id.rawValue) }
    writer.key(FieldNames.items.name(of: .password))
    writer.password(password)
    writer.endObject()
    return HTTPRequest(
      .delete, ItemsRoute.item(id).target,
      headers: [HeaderName.contentType: "application/json"], body: writer.bytes)
  }
}
