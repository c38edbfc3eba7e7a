import MarketAPI
import MarketModel

/// Reads libFuzzer's bytes as requests to a server; each must give an operation or an error response.
///
/// The first line is method, target, content type and the header of entity tags, separated by tabs;
/// the rest is the body.
package func readRequest(_ bytes: [UInt8]) {
  let line = bytes.prefix { $0 != 0x0A }
  let words = line.split(separator: 0x09, omittingEmptySubsequences: false)
    .map { String(decoding: $0, as: UTF8.self) }
  guard words.count > 3 else { return }
  let request = HTTPRequest(
    HTTPMethod(rawValue: words[0]), RequestTarget(parsing: words[1]),
    headers: [
      HeaderName.contentType: words[2], HeaderName.identifier: "a-seller",
      HeaderName.ifMatch: words[3], HeaderName.ifNoneMatch: words[3],
    ],
    body: Array(bytes.dropFirst(line.count + 1)))
  let router = MarketRouter(DialectList.market.served())
  let pictures = PictureAddresses(base: "http://market.example")
  do throws(RequestProblem) {
    let route = try router.route(request)
    let failure = route.dialect.response(
      failing: .notFound, to: route.operation, pictures: pictures)
    precondition(failure.status.rawValue == 404)
  } catch {
    precondition((400..<500).contains(router.response(to: error, for: request).status.rawValue))
  }
}
