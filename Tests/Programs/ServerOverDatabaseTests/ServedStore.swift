import MarketAPI
import MarketModel
import MarketServer
import StoreCore

extension MarketResponder {
  /// Answers requests of a store, within as long as a busy machine may need where nothing else is said.
  init(
    for store: any StoredMarket, timeout: Duration = .seconds(30),
    _ stale: StaleIfErrorPolicy? = nil
  ) {
    var options = Options(
      publicAddress: .fixed("https://market.example"), now: { 1_750_000_000 })
    (options.timeout, options.stale) = (timeout, stale)
    self.init(store, options)
  }
}

extension ServerRequest {
  /// A request for what is at a target.
  static func get(
    _ target: String, _ headers: HTTPHeaders = [:], from address: String = "192.0.2.1"
  ) -> ServerRequest {
    ServerRequest(.get, target, headers: headers, from: RemoteClient(address: address))
  }

  /// An operation as our client writes it.
  static func sending(
    _ operation: MarketOperation,
    in dialect: any MarketDialect = ProductsDialect(variant: .y2023),
    from address: String = "192.0.2.1"
  ) throws -> ServerRequest {
    let message = try dialect.request(for: operation)
    return ServerRequest(
      message.method, message.target.text, headers: message.headers, body: message.body,
      from: RemoteClient(address: address))
  }

  /// A registration of one seller.
  static func registering(
    _ registration: ProductRegistration, from address: String = "192.0.2.1"
  ) throws -> ServerRequest {
    try sending(
      .register(
        registration, .seller(SellerIdentifier(secret: "me")), IdempotencyKey(rawValue: "key")),
      from: address)
  }
}

extension HTTPResponse {
  var text: String { String(decoding: body, as: UTF8.self) }

  /// The body as JSON.
  var json: JSONValue {
    get throws { try JSONDocument(parsing: body).root }
  }
}
