import MarketModel

/// Writes the page object of v2, with the keys of both years.
struct PageWriter {
  let products: ProductWriter

  /// Writes a page; `tellsExactness` adds whether the count is exact.
  func write(
    _ page: ProductPage, for request: PageRequest, tellsExactness: Bool = false
  ) -> [UInt8] {
    var writer = JSONWriter(capacity: 512 + page.products.count * 512)
    writer.beginObject()
    writeNumbers(Numbers(page, request), to: &writer)
    if tellsExactness { writer.member("totalIsExact", page.total.isExact) }
    if case .after(let cursor) = page.next { writer.member("nextCursor", cursor.rawValue) }
    writer.key("pages")
    writer.beginArray()
    for (index, product) in page.products.enumerated() {
      let description = index < page.descriptions.count ? page.descriptions[index] : ""
      products.write(product, description: description, to: &writer)
    }
    writer.endArray()
    writer.endObject()
    return writer.bytes
  }

  private func writeNumbers(_ numbers: Numbers, to writer: inout JSONWriter) {
    writer.members("pageNo", "page_no", numbers.page)
    writer.members("itemsPerPage", "items_per_page", numbers.size)
    writer.members("totalCount", "total_count", numbers.total)
    writer.member("offset", numbers.offset)
    writer.member("limit", numbers.limit)
    writer.members("lastPage", "last_page", numbers.lastPage)
    writer.members("hasNext", "has_next", numbers.hasNext)
    writer.members("hasPrev", "has_prev", numbers.page > 1)
  }
}

/// Position of a page in its list; numbers beyond `Int64` saturate.
private struct Numbers {
  let page: Int64
  let size: Int64
  let total: Int64
  /// Number of products before the page.
  let offset: Int64
  /// End of the page, whether there are so many products or not.
  let limit: Int64
  let lastPage: Int64
  let hasNext: Bool

  init(_ answer: ProductPage, _ request: PageRequest) {
    page = Int64(request.position.pageNumber)
    size = Int64(max(1, request.size))
    let (offset, overflow) = (page - 1).multipliedReportingOverflow(by: size)
    self.offset = overflow ? .max - size : min(offset, .max - size)
    limit = self.offset + size
    total =
      switch answer.total {
      case .exactly(let count): Int64(count)
      case .atLeast(let count): Self.total(of: answer, atLeast: Int64(count), after: self.offset)
      case .unknown: self.offset + Int64(answer.products.count)
      }
    lastPage = total / size + (total % size > 0 ? 1 : 0)
    hasNext = answer.next != nil
  }

  /// The number for a count that was given up: one more than is known, so that no page seems to be the
  /// last too early.
  private static func total(
    of answer: ProductPage, atLeast count: Int64, after offset: Int64
  ) -> Int64 {
    max(count, offset + Int64(answer.products.count)) + 1
  }
}

extension ProductTotal {
  fileprivate var isExact: Bool {
    switch self {
    case .exactly: true
    case .atLeast, .unknown: false
    }
  }
}
