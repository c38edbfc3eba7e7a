import MarketAPI

/// Entity tags of pages and products; a product has the same one in every answer that shows it.
enum ContentTag {
  /// Between the version of a product and the mark of what was sent: a product's page shows more
  /// than the product's version knows of, its seller's name for one.
  private static let separator: Character = "."

  /// The answer with a tag of its content, after its version where it has one.
  static func tagged(_ response: HTTPResponse) -> HTTPResponse {
    guard response.status.isSuccess else { return response }
    var response = response
    let version = response.headers[HeaderName.entityTag].flatMap { EntityTag(parsing: $0)?.value }
    let mark = String(mark(of: response.body), radix: 36)
    let value = version.map { $0 + String(separator) + mark } ?? mark
    response.headers[HeaderName.entityTag] = EntityTag(value: value).text
    return response
  }

  /// The version in a tag that a client has sent back.
  static func version(in value: String) -> String {
    value.split(separator: separator, maxSplits: 1).first.map(String.init) ?? value
  }

  /// FNV-1a, 64 bits (RFC draft-eastlake-fnv): enough to tell a page from the one before.
  private static func mark(of bytes: [UInt8]) -> UInt64 {
    bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
  }
}
