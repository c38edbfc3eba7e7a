import MarketModel

/// The server half: results to answers.
extension ItemsDialect {
  package func response(
    with result: MarketResult, to operation: MarketOperation, pictures: PictureAddresses
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
    case (.detail(let detail), .delete(_, _, .number)):
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
}
