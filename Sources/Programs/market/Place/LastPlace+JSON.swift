import MarketAPI
import MarketModel
import MarketViewModels

/// The place as its file holds it.
///
/// Whoever forged the file gets no more than a place that does not exist: every text and number is
/// bounded, and what is missing or wrong is left out.
nonisolated extension LastPlace {
  private static let version: Int64 = 1
  /// Bytes of the longest text.
  fileprivate static let longestText = 4_096
  fileprivate static let lastRow = 100_000_000
  fileprivate static let lastPicture = 1_000
  fileprivate static let mostPictures = 200
  /// Of other markets, and pictures of each.
  private static let (mostTurned, mostPicturesThere) = (30, 50)

  /// Nil where the bytes are no place, or that of a later version.
  init?(json bytes: [UInt8]) {
    guard let root = (try? JSONDocument(parsing: bytes, maximumDepth: 8))?.root,
      root["version"]?.number?.integer == Self.version, let market = root["market"],
      let place = Self.place(market)
    else { return nil }
    self.init(
      market: place, name: market["name"].flatMap(Self.text), whereabouts: Whereabouts(root))
    for entry in Self.elements(root["turned"], atMost: Self.mostTurned) {
      guard let key = entry["market"].flatMap(Self.text) else { continue }
      turned[MarketKey(rawValue: key)] = Self.elements(
        entry["pictures"], atMost: Self.mostPicturesThere
      ).compactMap(TurnedPicture.init)
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
    whereabouts.write(to: &writer)
    writeTurned(to: &writer)
    writer.endObject()
    return writer.bytes
  }

  private func writeTurned(to writer: inout JSONWriter) {
    guard !turned.isEmpty else { return }
    writer.key("turned")
    writer.beginArray()
    for (market, pictures) in turned.sorted(by: { $0.key.rawValue < $1.key.rawValue })
      .prefix(Self.mostTurned)
    {
      writer.beginObject()
      writer.member("market", market.rawValue)
      TurnedPicture.write(pictures.suffix(Self.mostPicturesThere), to: &writer)
      writer.endObject()
    }
    writer.endArray()
  }

  private static func place(_ market: JSONValue) -> MarketPlace? {
    guard market.isObject else { return nil }
    if let path = market["file"].flatMap(text) { return path.hasPrefix("/") ? .file(path) : nil }
    if let address = market["server"].flatMap(text) { return .server(address: address) }
    return .local
  }

  fileprivate static func text(_ value: JSONValue) -> String? {
    value.string.flatMap { $0.utf8.count <= longestText && !$0.utf8.contains(0) ? $0 : nil }
  }

  /// The first elements of an array; none of anything else.
  fileprivate static func elements(_ value: JSONValue?, atMost most: Int) -> [JSONValue] {
    value.map { Array($0.elements.prefix(most)) } ?? []
  }

  fileprivate static func number(_ value: JSONValue?, upTo most: Int) -> Int? {
    value?.number?.integer.flatMap { (0...Int64(most)).contains($0) ? Int($0) : nil }
  }
}

nonisolated extension Whereabouts {
  fileprivate init(_ root: JSONValue) {
    self.init()
    list = ListPlace(root)
    isMine = root["mine"]?.bool == true && !sellers.isEmpty
    arrangement = root["view"]?.string.flatMap(BrowserModel.Arrangement.init(rawValue:))
    opened = Self.product(root["open"])
    sellerPage = root["seller"].flatMap(SellerPage.init)
    pictures = LastPlace.elements(root["pictures"], atMost: LastPlace.mostPictures)
      .compactMap(TurnedPicture.init)
  }

  fileprivate func write(to writer: inout JSONWriter) {
    list.write(to: &writer)
    if isMine { writer.member("mine", true) }
    if let arrangement { writer.member("view", arrangement.rawValue) }
    if let opened { writer.member("open", opened.rawValue) }
    sellerPage?.write(to: &writer)
    if !pictures.isEmpty {
      TurnedPicture.write(pictures.suffix(LastPlace.mostPictures), to: &writer)
    }
  }

  fileprivate static func product(_ value: JSONValue?) -> Product.ID? {
    value?.number?.integer.map(Product.ID.init(rawValue:))
  }
}

nonisolated extension Whereabouts.ListPlace {
  fileprivate init(_ root: JSONValue) {
    var request = SearchRequest()
    if let line = root["search"].flatMap(LastPlace.text) { request = SearchRequest(reading: line) }
    request.scope = .here
    let sellers = LastPlace.elements(root["sellers"], atMost: ProductQuery.mostSellers)
      .compactMap { $0.number?.integer.map(Seller.ID.init(rawValue:)) }
    // The line says again what was said, if the numbers are there that it means.
    if sellers.isEmpty || request.sellers.isEmpty {
      request.sellers = sellers.map(SellerMention.number)
    }
    self.init(
      request: request, sellers: sellers,
      row: LastPlace.number(root["row"], upTo: LastPlace.lastRow) ?? 0,
      product: Whereabouts.product(root["product"]))
  }

  fileprivate func write(to writer: inout JSONWriter) {
    let line = request.line(in: .english)
    if !line.isEmpty, line.utf8.count <= LastPlace.longestText { writer.member("search", line) }
    if !sellers.isEmpty, sellers.count <= ProductQuery.mostSellers {
      writer.key("sellers")
      writer.beginArray()
      for seller in sellers { writer.integer(seller.rawValue) }
      writer.endArray()
    }
    writer.member("row", Int64(row))
    if let product { writer.member("product", product.rawValue) }
  }
}

nonisolated extension Whereabouts.SellerPage {
  fileprivate init?(_ value: JSONValue) {
    guard let seller = value["id"]?.number?.integer,
      let name = value["name"].flatMap(LastPlace.text),
      let product = Whereabouts.product(value["product"])
    else { return nil }
    self.init(
      seller: Seller.ID(rawValue: seller), name: name, product: product,
      before: value["before"].map(Whereabouts.ListPlace.init))
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

nonisolated extension TurnedPicture {
  fileprivate init?(_ value: JSONValue) {
    var elements = value.elements
    guard let product = Whereabouts.product(elements.next()),
      let index = LastPlace.number(elements.next(), upTo: LastPlace.lastPicture)
    else { return nil }
    self.init(product: product, index: index)
  }

  fileprivate static func write(
    _ pictures: some Sequence<TurnedPicture>, to writer: inout JSONWriter
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
