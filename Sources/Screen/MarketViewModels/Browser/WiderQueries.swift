package import MarketModel

/// Wider queries for a list without results: its query without one of its parts.
///
/// The market is asked only for their counts, one after the other, and only if it can count them.
package final class WiderQueries {
  /// Query without one part, and its count.
  package struct Choice: Hashable, Sendable {
    package let part: QueryPart
    package let query: ProductQuery
    package let total: ProductTotal
  }

  @Observed private var counted: [Choice] = []
  @Observed package private(set) var selected = 0
  private let list: ProductList
  /// The query without results; nil if there is none.
  private var narrow: ProductQuery?
  private var task: Task<Void, Never>?

  /// Maximum number of counts that are requested.
  private static let most = 5

  init(of list: ProductList) { self.list = list }

  /// Queries with at least one result, as far as they are counted.
  package var choices: [Choice] {
    list.feed.count == 0 && list.feed.query == narrow ? counted : []
  }

  package func move(by steps: Int) {
    selected = max(0, min(selected + steps, choices.count - 1))
  }

  /// Cancels the counts and clears the choices.
  func cancel() {
    task?.cancel()
    (task, narrow) = (nil, nil)
    if !counted.isEmpty { (counted, selected) = ([], 0) }
  }

  private func count(without parts: [QueryPart], of query: ProductQuery) async {
    for part in parts {
      var wider = query
      wider.remove(part)
      guard list.canCount(wider) else { continue }
      let total = try? await list.repository.total(of: wider)
      guard !Task.isCancelled else { return }
      // If the market does not answer this, it will not answer the others.
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
  /// Whether the count is known to be above 0.
  fileprivate var isSome: Bool {
    switch self {
    case .exactly(let count), .atLeast(let count): count > 0
    case .unknown: false
    }
  }
}
