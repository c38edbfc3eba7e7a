import MarketModel

/// The rows of a page, each read by itself: one that cannot be read costs no other.
struct PageRows {
  var products: [Product] = []
  var unreadable = 0

  init(
    of value: JSONValue, in key: StaticString,
    reading row: (JSONValue) throws(AnswerProblem) -> Product
  ) throws(AnswerProblem) {
    guard let rows = value[key] else { throw .missing(key.description) }
    guard rows.isArray else { throw .unreadable(key.description) }
    // A server that sends more than anybody may ask for is cut off there.
    for element in rows.elements.prefix(PageRequest.sizes.upperBound) {
      do throws(AnswerProblem) {
        products.append(try row(element))
      } catch {
        unreadable += 1
      }
    }
  }

  var isEmpty: Bool { products.isEmpty && unreadable == 0 }
}
