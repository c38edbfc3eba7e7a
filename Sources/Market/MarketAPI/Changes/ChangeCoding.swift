import MarketModel

/// Coding of changes as JSON and as server-sent events, in both directions.
package enum ChangeCoding {
  /// Name of an event of a stream (WHATWG HTML, section 9.2).
  package enum EventName: String {
    case hello, product, seller, question, reset
  }

  /// Comment line that keeps the connection alive.
  package static let comment = Array(":\n\n".utf8)

  /// The `hello` event, with the cursor from which the stream continues.
  package static func hello(at cursor: ChangeCursor) -> [UInt8] {
    event(.hello, cursor, [0x7B, 0x7D])
  }

  /// The events of a batch.
  ///
  /// Only the last one has the cursor, since there is none within a batch: after a lost connection the
  /// whole batch is sent again.
  package static func events(of batch: ChangeBatch) -> [UInt8] {
    var bytes: [UInt8] = []
    if batch.isReset {
      bytes += event(.reset, batch.changes.isEmpty ? batch.cursor : nil, [0x7B, 0x7D])
    }
    for (index, change) in batch.changes.enumerated() {
      var writer = JSONWriter(capacity: 128)
      write(change, isNamed: false, to: &writer)
      let isLast = index == batch.changes.count - 1
      bytes += event(name(of: change), isLast ? batch.cursor : nil, writer.bytes)
    }
    return bytes
  }

  /// Response to a poll: `{"changes":[…],"place":"…"}`, with `"reset":true` after a reset.
  package static func answer(_ batch: ChangeBatch) -> HTTPResponse {
    var writer = JSONWriter(capacity: 64 + 128 * batch.changes.count)
    writer.beginObject()
    writer.key("changes")
    writer.beginArray()
    for change in batch.changes { write(change, isNamed: true, to: &writer) }
    writer.endArray()
    writer.member("place", batch.cursor.rawValue)
    if batch.isReset { writer.member("reset", true) }
    writer.endObject()
    return .json(.ok, writer.bytes)
  }

  /// Reads the response to a poll; nil for another body.
  package static func batch(in response: HTTPResponse) -> ChangeBatch? {
    guard let root = try? JSONDocument(parsing: response.body).root,
      let cursor = root["place"]?.string, let changes = root["changes"], changes.isArray
    else { return nil }
    return ChangeBatch(
      changes: changes.elements.compactMap { change($0, named: nil) },
      cursor: ChangeCursor(rawValue: cursor), isReset: root["reset"]?.bool == true)
  }

  /// One change as a JSON object.
  package static func json(_ change: MarketChange) -> [UInt8] {
    var writer = JSONWriter(capacity: 128)
    write(change, isNamed: true, to: &writer)
    return writer.bytes
  }

  /// Reads the data of an event; nil for an unknown kind.
  package static func change(in data: String, of name: EventName) -> MarketChange? {
    guard let root = try? JSONDocument(parsing: Array(data.utf8)).root else { return nil }
    return change(root, named: name)
  }

  private static func name(of change: MarketChange) -> EventName {
    switch change {
    case .product: .product
    case .seller: .seller
    case .question: .question
    }
  }

  private static func event(
    _ name: EventName, _ cursor: ChangeCursor?, _ data: [UInt8]
  ) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(data.count + 96)
    if let cursor { bytes += "id: \(cursor.rawValue)\n".utf8 }
    bytes += "event: \(name.rawValue)\ndata: ".utf8
    bytes += data
    bytes += "\n\n".utf8
    return bytes
  }

  /// A product change has the product's number, a seller change only `vendor_id`; in streams the event
  /// name tells them apart.
  private static func write(
    _ change: MarketChange, isNamed: Bool, to writer: inout JSONWriter
  ) {
    writer.beginObject()
    if isNamed { writer.member("event", name(of: change).rawValue) }
    switch change {
    case .product(let product):
      writer.member("id", product.id.rawValue)
      writer.member("kind", product.kind.rawValue)
      if let version = product.version { writer.member("version", version.rawValue) }
      writer.member("vendor_id", product.seller.rawValue)
    case .seller(let seller): writer.member("vendor_id", seller.rawValue)
    case .question(let question):
      writer.member("product", question.product.rawValue)
      writer.member("question", question.id.rawValue)
      writer.member("kind", question.kind.rawValue)
      writer.member("vendor_id", question.seller.rawValue)
    }
    writer.endObject()
  }

  private static func change(_ value: JSONValue, named name: EventName?) -> MarketChange? {
    guard let seller = value["vendor_id"]?.number?.integer.map(Seller.ID.init(rawValue:)) else {
      return nil
    }
    switch name ?? value["event"]?.string.flatMap(EventName.init) {
    case .seller: return .seller(seller)
    case .question:
      guard let id = value["question"]?.number?.integer,
        let product = value["product"]?.number?.integer,
        let kind = value["kind"]?.string.flatMap(QuestionChange.Kind.init)
      else { return nil }
      return .question(
        QuestionChange(
          id: Question.ID(rawValue: id), product: Product.ID(rawValue: product), kind: kind,
          seller: seller))
    case .product:
      guard let id = value["id"]?.number?.integer,
        let kind = value["kind"]?.string.flatMap(ProductChange.Kind.init)
      else { return nil }
      return .product(
        ProductChange(
          id: Product.ID(rawValue: id), kind: kind,
          version: value["version"]?.string.map(ProductVersion.init(rawValue:)), seller: seller))
    case .hello, .reset, nil: return nil
    }
  }
}
