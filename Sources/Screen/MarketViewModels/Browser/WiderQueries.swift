package import MarketModel

/// Wider queries of a list in which nothing was found: what its query finds without one of its parts.
///
/// The market is asked for their numbers alone, one after the other, and only where it can count them.
package final class WiderQueries {
  /// A query without one part, and how many products it finds.
  package struct Choice: Hashable, Sendable {
    package let part: QueryPart
    package let query: ProductQuery
    package let total: ProductTotal
  }

  @Observed private var counted: [Choice] = []
  @Observed package private(set) var selected = 0
  private let list: BrowsedList
  private let reader: ListReader
  /// The query that nothing was found by.
  private var narrow: ProductQuery?
  private var task: Task<Void, Never>?

  /// Numbers that are asked for at most.
  private static let most = 5

  init(of list: BrowsedList, by reader: ListReader) {
    self.list = list
    self.reader = reader
  }

  /// Those that find something, as far as they were counted.
  package var choices: [Choice] {
    list.feed.count == 0 && list.feed.query == narrow ? counted : []
  }

  package func move(by steps: Int) {
    selected = max(0, min(selected + steps, choices.count - 1))
  }

  /// Asks for nothing any more.
  func cancel() {
    task?.cancel()
    (task, narrow) = (nil, nil)
    if !counted.isEmpty { (counted, selected) = ([], 0) }
  }

  private func count(without parts: [QueryPart], of query: ProductQuery) async {
    for part in parts {
      var wider = query
      wider.remove(part)
      guard reader.pages.canCount(wider) else { continue }
      let total = try? await reader.repository.total(of: wider)
      guard !Task.isCancelled else { return }
      // A market that does not answer this will not answer the others.
      guard let total else { return }
      if total.isSome { counted.append(Choice(part: part, query: wider, total: total)) }
    }
  }
}

extension WiderQueries: ListObserver {
  func didRead(isTop: Bool) {
    let (feed, query) = (list.feed, list.feed.query)
    guard !feed.isStale, feed.count == 0, feed.phase == .ended, feed.seenAt == nil,
      query.sellers != [.nobody]
    else { return cancel() }
    let parts = QueryPart.allCases.filter(query.parts.contains)
    guard parts.count > 1, isTop else { return }
    cancel()
    narrow = query
    task = Task.immediate { await count(without: Array(parts.prefix(Self.most)), of: query) }
  }
}

extension ProductTotal {
  /// Whether it is known that there are any.
  fileprivate var isSome: Bool {
    switch self {
    case .exactly(let count), .atLeast(let count): count > 0
    case .unknown: false
    }
  }
}
