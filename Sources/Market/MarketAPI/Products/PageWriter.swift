import MarketModel

/// Writes the page object of v2, with the keys of both years.
struct PageWriter {
  let products: ProductWriter
  /// Form of the rows.
  let form: ListedRow.Form

  /// Writes a page, with its kept rows as they were written before; `tellsExactness` adds whether the
  /// count is exact.
  func write(
    _ page: ProductPage, for request: PageRequest, tellsExactness: Bool = false
  ) -> [UInt8] {
    var writer = JSONWriter(capacity: 512 + page.products.count * 512)
    writer.beginObject()
    let numbers = Numbers(page, request)
    writeNumbers(numbers, to: &writer)
    if tellsExactness { writer.member("totalIsExact", numbers.isExact) }
    if case .after(let cursor) = page.next { writer.member("nextCursor", cursor.rawValue) }
    writer.key("pages")
    writer.beginArray()
    for row in page.rows {
      writer.raw(
        row.bytes(in: form) {
          var writer = JSONWriter(capacity: 1_024)
          products.write(row.product, description: row.description, to: &writer)
          return writer.bytes
        })
    }
    for (index, product) in page.products.enumerated().dropFirst(page.rows.count) {
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
  let isExact: Bool
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
    let end = self.offset + Int64(answer.products.count)
    let isLast =
      if case .after = request.position { false } else { answer.next == nil && end > self.offset }
    switch answer.total {
    case .exactly(let count): (total, isExact) = (Int64(count), true)
    case .atLeast where isLast: (total, isExact) = (end, true)
    // A count that was given up is one more than is known, so that no page seems to be the last too
    // early; an empty page tells nothing.
    case .atLeast(let count):
      (total, isExact) = (max(Int64(count), end > self.offset ? end : 0) + 1, false)
    case .unknown: (total, isExact) = (end, false)
    }
    lastPage = total / size + (total % size > 0 ? 1 : 0)
    hasNext = answer.next != nil
  }
}
