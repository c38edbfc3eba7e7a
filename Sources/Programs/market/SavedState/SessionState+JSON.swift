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
  /// Maximum number of markets with pictures, and of pictures of each; the rest is left out.
  private static let (maxTurned, maxPictures) = (30, 200)

  /// Reads a session state; nil for invalid values or another version.
  init?(json root: JSONValue) {
    guard root["version"]?.number?.integer == Self.version, let market = root["market"],
      let location = Self.location(market)
    else { return nil }
    self.init(
      market: location, name: market["name"].flatMap(Self.text),
      navigationState: NavigationState(root))
  }

  /// Without the pictures.
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
    writer.endObject()
    return writer.bytes
  }

  /// Reads the last shown pictures of all markets.
  static func turned(json root: JSONValue) -> [MarketKey: [ShownPicture]] {
    var turned: [MarketKey: [ShownPicture]] = [:]
    for entry in elements(root, atMost: maxTurned) {
      guard let key = entry["market"].flatMap(text) else { continue }
      turned[MarketKey(rawValue: key)] = elements(entry["pictures"], atMost: maxPictures)
        .compactMap(ShownPicture.init)
    }
    return turned
  }

  /// The last shown pictures; those of the shown market come first, since the number is limited.
  var turnedJSON: [UInt8] {
    var writer = JSONWriter()
    writer.beginArray()
    let shown = MarketSource.key(of: market)
    let markets = turned.sorted { one, other in
      one.key == shown || other.key != shown && one.key.rawValue < other.key.rawValue
    }
    for (market, pictures) in markets.prefix(Self.maxTurned) {
      writer.beginObject()
      writer.member("market", market.rawValue)
      ShownPicture.write(pictures.suffix(Self.maxPictures), to: &writer)
      writer.endObject()
    }
    writer.endArray()
    return writer.bytes
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
    opened = Self.product(root["open"])
    sellerPage = root["seller"].flatMap(SellerPage.init)
  }

  fileprivate func write(to writer: inout JSONWriter) {
    list.write(to: &writer)
    if isMine { writer.member("mine", true) }
    if let opened { writer.member("open", opened.rawValue) }
    sellerPage?.write(to: &writer)
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
