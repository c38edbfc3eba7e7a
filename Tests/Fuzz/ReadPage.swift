import MarketAPI
import MarketModel

/// Reads libFuzzer's bytes as responses of a server, in every dialect; a page that was read must be the
/// same after our server has sent it on.
///
/// The first line is the status, the rest is the body.
package func readPage(_ bytes: [UInt8]) {
  let line = bytes.prefix { $0 != 0x0A }
  let response = HTTPResponse(
    HTTPStatus(rawValue: Int(String(decoding: line, as: UTF8.self)) ?? 200),
    headers: [HeaderName.extensions: "1", HeaderName.entityTag: "\"1\""],
    body: Array(bytes.dropFirst(line.count + 1)))
  let id = Product.ID(rawValue: 1)
  let products = ProductsDialect(variant: .y2023)
  let dialects = DialectList.market.served()
  for dialect in dialects {
    if let page = try? dialect.page(from: response, for: request) { check(page, dialect) }
    _ = try? dialect.detail(from: response, for: .detail(id))
    _ = try? dialect.deleted(from: response, for: .delete(id, Password(""), .guest))
  }
  _ = try? products.deletionTarget(
    from: response, for: .requestDeletion(id, Password(""), .guest))
  _ = try? products.seller(from: response, for: .seller(SellerIdentifier(secret: "")))
  for dialect in dialects { _ = dialect.isSpoken(in: response) }
}

private let request = PageRequest(position: .number(2))

private func check(_ page: ProductPage, _ dialect: any MarketDialect) {
  precondition(page.products.count <= 1_000)
  if case .number(let next) = page.next { precondition(next == 3, "the next page is another") }
  let sent = dialect.response(
    with: .page(page), to: .page(request), in: HTTPRequest(.get, "/"),
    pictures: PictureAddresses(base: "http://market.example"))
  guard let arrived = try? dialect.page(from: sent, for: request) else {
    preconditionFailure("what is written cannot be read")
  }
  precondition(arrived.unreadableRows == 0 && arrived.products.count == page.products.count)
  for (one, other) in zip(arrived.products, page.products) {
    precondition(one.id == other.id && one.name == other.name && one.stock == other.stock)
    // Items have whole prices alone.
    let isExact = dialect is ProductsDialect && other.pricing.price != nil
    precondition(!isExact || one.pricing == other.pricing, "another price")
  }
}
