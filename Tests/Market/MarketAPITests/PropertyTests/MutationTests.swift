import MarketAPI
import MarketModel
import TestSupport
import Testing

/// Requests, forms and responses with random damage: reading them always returns.
struct MutationTests {
  @Test(arguments: WireEntrance.allCases, 0..<8)
  func `damaged bytes are read or refused`(entrance: WireEntrance, seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let whole = try seeds(for: entrance, seed: seed)

    for bytes in whole {
      entrance.read(bytes)
      for _ in 0..<25 { entrance.read(damaged(bytes, &random)) }
    }
  }

  @Test(arguments: WireEntrance.allCases)
  func `a text that breaks off anywhere is read or refused`(entrance: WireEntrance) throws {
    let bytes = try #require(try seeds(for: entrance, seed: 3).first)

    for length in 0...min(bytes.count, 600) { entrance.read(Array(bytes.prefix(length))) }
  }

  @Test(arguments: 0..<20)
  func `random JSON is either refused or whole`(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let pieces = Array("{}[]\",:0123456789.eE+-\\u tfn".utf8) + [0xFF, 0x00, 0x0A]

    for _ in 0..<500 {
      let count = Int.random(in: 0...24, using: &random)
      let bytes = (0..<count).compactMap { _ in pieces.randomElement(using: &random) }
      guard let root = try? JSONDocument(parsing: bytes).root else { continue }
      _ = root["a"]?.text
      _ = root.number?.hundredths
      _ = root.number?.floor
      _ = root.elements.map(\.text)
    }
  }

  private func seeds(for entrance: WireEntrance, seed: UInt64) throws -> [[UInt8]] {
    var samples = SampleOperations(seed: seed)
    let dialect = ProductsDialect(variant: .y2023)
    switch entrance {
    case .request, .form:
      let requests =
        try samples.items().map { try ItemsDialect().request(for: $0) }
        + samples.products(.y2023).map { try dialect.request(for: $0) }
      if entrance == .form { return requests.map(\.body) }
      return requests.map { request in
        let type = request.headers["Content-Type"] ?? ""
        return Array("\(request.method.rawValue) \(request.target.text)\n\(type)\n".utf8)
          + request.body
      }
    case .answer:
      let picture = Picture(number: 1, original: "a", thumbnail: "b")
      let products = (1...3).map { Product.sample(id: $0, thumbnail: picture) }
      let page = ProductPage(products: products, total: .exactly(3), next: .number(2))
      let detail = ProductDetail.sample(of: products[0], pictures: [picture, picture])
      return [
        dialect.response(with: .page(page), to: .page(PageRequest()), pictures: Wire.pictures),
        ItemsDialect().response(
          with: .page(page), to: .page(PageRequest()), pictures: Wire.pictures),
        dialect.response(
          with: .detail(detail), to: .detail(detail.id), pictures: Wire.pictures),
        dialect.response(
          failing: .conflict(current: detail), to: .detail(detail.id), pictures: Wire.pictures),
      ].map(\.body)
    }
  }

  /// One to four bytes changed, dropped, repeated or put in.
  private func damaged(_ bytes: [UInt8], _ random: inout SeededRandom) -> [UInt8] {
    var bytes = bytes
    let structural = Array("{}[]\",:\\\r\n-0.e%&=;".utf8)
    for _ in 0..<Int.random(in: 1...4, using: &random) where !bytes.isEmpty {
      let index = Int.random(in: 0..<bytes.count, using: &random)
      switch Int.random(in: 0...4, using: &random) {
      case 0: bytes[index] = UInt8.random(in: 0...255, using: &random)
      case 1: bytes.remove(at: index)
      case 2: bytes.insert(structural.randomElement(using: &random) ?? 0, at: index)
      case 3: bytes.removeSubrange(index..<min(bytes.count, index + 9))
      default: bytes.insert(contentsOf: bytes[index..<min(bytes.count, index + 30)], at: index)
      }
    }
    return bytes
  }
}
