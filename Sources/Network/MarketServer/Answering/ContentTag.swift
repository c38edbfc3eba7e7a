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
    var digest = ContentDigest()
    digest.add(response.body)
    let mark = String(digest.value, radix: 36)
    let value = version.map { $0 + String(separator) + mark } ?? mark
    response.headers[HeaderName.entityTag] = EntityTag(value: value).text
    return response
  }

  /// The version in a tag that a client has sent back.
  static func version(in value: String) -> String {
    value.split(separator: separator, maxSplits: 1).first.map(String.init) ?? value
  }
}
