import MarketAPI
import MarketModel
import MarketViewModels

/// JSON coding of the session state.
///
/// A forged file can only lead to a location that does not exist: texts and numbers are limited, and
/// what is missing or invalid is left out.
nonisolated extension SessionState {
  private static let version: Int64 = 1
  /// Maximum bytes of a text; longer ones are left out.
  fileprivate static let maxTextLength = 4_096
  fileprivate static let lastRow = 100_000_000
  fileprivate static let lastPicture = 1_000
  fileprivate static let maxPictures = 200
  /// Maximum number of other markets, and of pictures of each; the rest is left out.
  private static let (maxTurned, maxPicturesThere) = (30, 50)

  /// Reads a session state; nil for invalid bytes or another version.
  init?(json bytes: [UInt8]) {
    guard let root = (try? JSONDocument(parsing: bytes, maximumDepth: 8))?.root,
      root["version"]?.number?.integer == Self.version, let market = root["market"],
      let location = Self.location(market)
    else { return nil }
    self.init(
      market: location, name: market["name"].flatMap(Self.text),
      navigationState: NavigationState(root))
    for entry in Self.elements(root["turned"], atMost: Self.maxTurned) {
      guard let key = entry["market"].flatMap(Self.text) else { continue }
      turned[MarketKey(rawValue: key)] = Self.elements(
        entry["pictures"], atMost: Self.maxPicturesThere
      ).compactMap(ShownPicture.init)
    }
  }

  var json: [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("version", Self.version)
    writer.key("market")
    writer.beginObject()
    switch market {
    case .local: break
    case .file(let path): writer.member("file", path)
    case .server(let address): writer.member("server", address)
    }
    if let name { writer.member("name", name) }
    writer.endObject()
    navigationState.write(to: &writer)
    writeTurned(to: &writer)
    writer.endObject()
    return writer.bytes
  }

  private func writeTurned(to writer: inout JSONWriter) {
    guard !turned.isEmpty else { return }
    writer.key("turned")
    writer.beginArray()
    for (market, pictures) in turned.sorted(by: { $0.key.rawValue < $1.key.rawValue })
      .prefix(Self.maxTurned)
    {
      writer.beginObject()
      writer.member("market", market.rawValue)
      ShownPicture.write(pictures.suffix(Self.maxPicturesThere), to: &writer)
      writer.endObject()
    }
    writer.endArray()
  }

  private static func location(_ market: JSONValue) -> MarketLocation? {
    guard market.isObject else { return nil }
    if let path = market["file"].flatMap(text) { return path.hasPrefix("/") ? .file(path) : nil }
    if let address = market["server"].flatMap(text) { return .server(address: address) }
    return .local
  }

  fileprivate static func text(_ value: JSONValue) -> String? {
    value.string.flatMap { $0.utf8.count <= maxTextLength && !$0.utf8.contains(0) ? $0 : nil }
  }

  /// First elements of an array; empty for other values.
  fileprivate static func elements(_ value: JSONValue?, atMost most: Int) -> [JSONValue] {
    value.map { Array($0.elements.prefix(most)) } ?? []
  }

  fileprivate static func number(_ value: JSONValue?, upTo most: Int) -> Int? {
    value?.number?.integer.flatMap { (0...Int64(most)).contains($0) ? Int($0) : nil }
  }
}

nonisolated extension NavigationState {
  fileprivate init(_ root: JSONValue) {
    self.init()
    list = ListState(root)
    isMine = root["mine"]?.bool == true && !sellers.isEmpty
    arrangement = root["view"]?.string.flatMap(BrowserModel.Arrangement.init(rawValue:))
    opened = Self.product(root["open"])
    sellerPage = root["seller"].flatMap(SellerPage.init)
    pictures = SessionState.elements(root["pictures"], atMost: SessionState.maxPictures)
      .compactMap(ShownPicture.init)
  }

  fileprivate func write(to writer: inout JSONWriter) {
    list.write(to: &writer)
    if isMine { writer.member("mine", true) }
    if let arrangement { writer.member("view", arrangement.rawValue) }
    if let opened { writer.member("open", opened.rawValue) }
    sellerPage?.write(to: &writer)
    if !pictures.isEmpty {
      ShownPicture.write(pictures.suffix(SessionState.maxPictures), to: &writer)
    }
  }

  fileprivate static func product(_ value: JSONValue?) -> Product.ID? {
    value?.number?.integer.map(Product.ID.init(rawValue:))
  }
}

nonisolated extension NavigationState.ListState {
  fileprivate init(_ root: JSONValue) {
    var request = SearchRequest()
    if let line = root["search"].flatMap(SessionState.text) {
      request = SearchRequest(reading: line)
    }
    request.scope = .here
    let sellers = SessionState.elements(root["sellers"], atMost: ProductQuery.maxSellers)
      .compactMap { $0.number?.integer.map(Seller.ID.init(rawValue:)) }
    // The line contains the sellers already, provided that their ids are known.
    if sellers.isEmpty || request.sellers.isEmpty {
      request.sellers = sellers.map(SellerMention.number)
    }
    self.init(
      request: request, sellers: sellers,
      row: SessionState.number(root["row"], upTo: SessionState.lastRow) ?? 0,
      product: NavigationState.product(root["product"]))
  }

  fileprivate func write(to writer: inout JSONWriter) {
    let line = request.line(in: .english)
    if !line.isEmpty, line.utf8.count <= SessionState.maxTextLength {
      writer.member("search", line)
    }
    if !sellers.isEmpty, sellers.count <= ProductQuery.maxSellers {
      writer.key("sellers")
      writer.beginArray()
      for seller in sellers { writer.integer(seller.rawValue) }
      writer.endArray()
    }
    writer.member("row", Int64(row))
    if let product { writer.member("product", product.rawValue) }
  }
}

nonisolated extension NavigationState.SellerPage {
  fileprivate init?(_ value: JSONValue) {
    guard let seller = value["id"]?.number?.integer,
      let name = value["name"].flatMap(SessionState.text),
      let product = NavigationState.product(value["product"])
    else { return nil }
    self.init(
      seller: Seller.ID(rawValue: seller), name: name, product: product,
      before: value["before"].map(NavigationState.ListState.init))
  }

  fileprivate func write(to writer: inout JSONWriter) {
    writer.key("seller")
    writer.beginObject()
    writer.member("id", seller.rawValue)
    writer.member("name", name)
    writer.member("product", product.rawValue)
    if let before {
      writer.key("before")
      writer.beginObject()
      before.write(to: &writer)
      writer.endObject()
    }
    writer.endObject()
  }
}

nonisolated extension ShownPicture {
  fileprivate init?(_ value: JSONValue) {
    var elements = value.elements
    guard let product = NavigationState.product(elements.next()),
      let index = SessionState.number(elements.next(), upTo: SessionState.lastPicture)
    else { return nil }
    self.init(product: product, index: index)
  }

  fileprivate static func write(
    _ pictures: some Sequence<ShownPicture>, to writer: inout JSONWriter
  ) {
    writer.key("pictures")
    writer.beginArray()
    for picture in pictures {
      writer.beginArray()
      writer.integer(picture.product.rawValue)
      writer.integer(Int64(picture.index))
      writer.endArray()
    }
    writer.endArray()
  }
}
