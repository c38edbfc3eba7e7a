import MarketModel
import TextCoding

/// Part of our additions that a server announces by a word in the header `Market-Capabilities`.
///
/// A client offers what is announced; a server without a part answers 404, or ignores its parameter.
package enum ServerCapability: String, Sendable, CaseIterable {
  /// `sort`.
  case orders
  /// `in_stock`, `reduced`, `vendor_id`, `min_price`, `max_price`, `currency`, `since` and `id`.
  case filters
  /// `search_value` and `not`.
  case words
  /// `phrase`.
  case phrases
  /// `after`, `nextCursor`, `count` and `totalIsExact`.
  case cursors
  /// `ETag` and `If-Match`; edits that change nothing, and edits of pictures.
  case versions
  /// `Idempotency-Key`.
  case idempotency
  /// `GET /api/changes`.
  case changes
  /// Pages for people.
  case pages
  /// Category, condition, place and reservation of a product, and the filters on them.
  case sale
  /// Questions about products, and products closed to them.
  case questions
  /// `/api/sellers/me`: a seller's name and contact.
  case contact
  /// `POST /api/reports`.
  case reports
  /// `/api/uploads` and `/U/TOKEN`: photos from a telephone.
  case uploads

  /// The header's value for a list.
  package static func words(of capabilities: Set<ServerCapability>) -> String {
    allCases.filter(capabilities.contains).map(\.rawValue).joined(separator: ", ")
  }
}

extension RepositoryCapabilities {
  /// Capabilities of a server of the products API by what it announces; nothing is announced by servers of
  /// others.
  init(announced: Set<ServerCapability>, currencies: Currencies) {
    self.init(
      orders: [.newest], parts: [], paging: .number, changesPictures: false, hasVersions: false,
      isIdempotent: false, currencies: currencies)
    lackingFields = Set(ProductField.allCases.filter { !$0.isInEveryMarket })
    for capability in announced { add(capability) }
    if !announced.isEmpty { passwordTries = Int(PasswordAttempts.freeCount) }
  }

  private mutating func add(_ capability: ServerCapability) {
    switch capability {
    case .orders: orders = ProductOrder.allCases
    case .filters:
      parts.formUnion([.inStock, .reduced, .seller, .price, .currency, .since, .ids])
    case .words: parts.formUnion([.words, .without])
    case .phrases: parts.insert(.phrases)
    case .cursors: paging = .cursor
    case .versions: (hasVersions, changesPictures) = (true, true)
    case .idempotency: isIdempotent = true
    case .sale:
      parts.formUnion([
        .choice(.category), .choice(.condition), .place, .filter(.available), .filter(.sold),
        .filter(.reserved), .filter(.unreserved),
      ])
      lackingFields.subtract([.category, .condition, .place, .reserved])
    case .questions:
      hasQuestions = true
      lackingFields.remove(.questionsClosed)
    case .reports: hasReports = true
    case .uploads: takesUploads = true
    // A repository has no value for these.
    case .changes, .pages, .contact: break
    }
  }

  /// The parts, besides the answered ones, that a client can check on the rows of such a server.
  var partsOfRows: Set<QueryPart> {
    Set(QueryPart.allCases).subtracting(parts).subtracting([.ids])
      .filter { $0.field.map(lackingFields.contains) != true }
  }
}

extension HTTPHeaders {
  /// Whether the server announces our additions, whichever it has.
  package var announcesAdditions: Bool { self[HeaderName.extensions] == "1" }

  /// The announced capabilities; unknown words are ignored.
  package var capabilities: Set<ServerCapability> {
    guard announcesAdditions else { return [] }
    let words = values(of: HeaderName.capabilities).flatMap { $0.split(separator: ",") }
    return Set(words.compactMap { ServerCapability(rawValue: String($0).trimmed) })
  }

  /// Announces a list of capabilities; an empty one removes the headers.
  package mutating func announce(_ capabilities: Set<ServerCapability>) {
    self[HeaderName.extensions] = capabilities.isEmpty ? nil : "1"
    self[HeaderName.capabilities] =
      capabilities.isEmpty ? nil : ServerCapability.words(of: capabilities)
  }

  /// The market's id; nil where there is none, or it is invalid.
  package var marketID: MarketID? { addition(HeaderName.marketID).flatMap { MarketID($0) } }

  /// The market's position; nil where there is none, or it is invalid.
  package var marketPosition: MarketPosition? {
    addition(HeaderName.marketPosition).flatMap { MarketPosition($0) }
  }

  /// The market's name; nil where there is none.
  package var marketName: String? {
    get {
      guard let text = addition(HeaderName.marketName) else { return nil }
      let name = TextLimit.marketName.cut(PercentCoding.decode(text))
      return name.isEmpty ? nil : name
    }
    set { self[HeaderName.marketName] = newValue.map { PercentCoding.encode($0) } }
  }

  /// The public address of a market that was requested at another one; nil where the server has no
  /// additions.
  ///
  /// An address at another origin than the requested one is ignored.
  package func publicAddress(askedAt asked: WebAddress) -> WebAddress? {
    guard announcesAdditions else { return nil }
    let announced = self[HeaderName.marketAddress].flatMap { WebAddress($0) }
    return (announced?.origin == asked.origin ? announced ?? asked : asked).withoutEnding
  }

  /// The origin of the market's picture storage; nil where there is none, or it is not an origin.
  package var pictureStorage: WebAddress.Origin? {
    guard let address = addition(HeaderName.marketStorage).flatMap({ WebAddress($0) }),
      address.target == "/"
    else { return nil }
    return address.origin
  }

  /// Announces the public address of the market.
  package mutating func announce(_ address: String) {
    self[HeaderName.marketAddress] = address
  }

  /// The value of a header that only servers with our additions send.
  private func addition(_ name: String) -> String? { announcesAdditions ? self[name] : nil }
}
