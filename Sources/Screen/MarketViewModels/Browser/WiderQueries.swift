package import MarketModel

/// Other queries for a list without results: with its words in the keyboard's other mode, and without one
/// of its parts.
///
/// The market is asked only for their counts, one after the other, and only if it can count them.
package final class WiderQueries {
  /// Query with its count.
  package struct Choice: Hashable, Sendable {
    /// Part that it lacks; nil for words in the keyboard's other mode.
    package let part: QueryPart?
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
    let others = [query.inOtherKeyboardMode].compactMap(\.self).map { (nil as QueryPart?, $0) }
    let wider = parts.map { part -> (QueryPart?, ProductQuery) in
      var wider = query
      wider.remove(part)
      return (part, wider)
    }
    for (part, wider) in others + wider where list.canCount(wider) {
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
    var parts = QueryPart.allCases.filter(query.parts.contains)
    // Without its only part the query finds everything.
    if parts.count == 1 { parts = [] }
    guard isTop, !parts.isEmpty || query.inOtherKeyboardMode != nil else { return }
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

extension ProductQuery {
  /// The query with its words in the keyboard's other mode; nil without such words.
  fileprivate var inOtherKeyboardMode: ProductQuery? {
    let now = Timestamp(seconds: 0)
    guard let request = SearchRequest(self, now: now).inOtherKeyboardMode else { return nil }
    let typed = request.query(sellers: [], now: now)
    var query = self
    (query.text, query.phrases) = (typed.text, typed.phrases)
    return query
  }
}
