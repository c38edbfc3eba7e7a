internal import MarketModel

/// Prefetch of pages: which are requested, and where rows away from the head go.
extension ProductFeed {
  /// Maximum rows of the head if pages can be read by number; it is not extended beyond.
  private static let maxHeadSize = 2_000
  /// Maximum length of a list; larger counts of a source are cut to it.
  private static let maxRows = Int(Int32.max)

  /// Requests to send for a part of the list, and those to cancel.
  package struct Prefetch: Hashable, Sendable {
    package var loads: [FeedRequest] = []
    package var cancels: [FeedRequest] = []

    package var isEmpty: Bool { loads.isEmpty && cancels.isEmpty }
  }

  /// Whether any place of the list can be shown directly, by page number.
  var canJump: Bool {
    far.stride != nil && !far.isRefused && seenAt == nil && counted > head.count
  }

  /// Number of rows that the source reports, cut to `maxRows`; 0 if unknown.
  var counted: Int {
    switch total {
    case .exactly(let count), .atLeast(let count): min(count, Self.maxRows)
    case .unknown: 0
    }
  }

  /// Place up to which the head is extended; pages behind it are read by number.
  var reach: Int { isHeadFull ? head.count : head.count + (far.stride ?? 0) }

  /// Whether the head is not extended further because pages can be read by number.
  var isHeadFull: Bool { canJump && head.count >= Self.maxHeadSize }

  /// Requests the unread pages of the rows on the screen and of `ahead` rows around them, at least
  /// one screen.
  mutating func prefetch(_ shown: Range<Int>, selected: Int, ahead: Int) -> Prefetch {
    var prefetch = prefetchFar(shown, selected: selected, ahead: ahead)
    let next = prefetchNext(
      firstVisible: shown.lowerBound, lastVisible: shown.upperBound, ahead: ahead)
    if let next { prefetch.loads.append(next) }
    return prefetch
  }

  /// Requests the page behind the head if it is due.
  ///
  /// - Parameters:
  ///   - firstVisible: index of the first visible row; far behind the head, the head is not extended.
  ///   - lastVisible: index of the last visible row.
  ///   - ahead: rows to load behind it.
  /// - Returns: nil if no page is due or it is already requested.
  package mutating func prefetchNext(
    firstVisible: Int = 0, lastVisible: Int, ahead: Int
  ) -> FeedRequest? {
    guard phase == .idle, !isStale, lastVisible + ahead >= head.count - 1 else { return nil }
    if canJump, isHeadFull || firstVisible >= reach { return nil }
    if case .number(let number) = next, far.fills.contains(number) { return nil }
    return loadNext()
  }

  /// Requests the unread pages away from the head: those on the screen, that of the selected row
  /// first, then up to `ahead` rows on both sides.
  ///
  /// Near the head that is extended instead; requests for the screen continue.
  package mutating func prefetchFar(_ shown: Range<Int>, selected: Int, ahead: Int) -> Prefetch {
    let wanted =
      isStale || !canJump ? [] : pagesToRead(shown, selected: selected, ahead: ahead)
    let (loads, passed) = far.want(wanted, atMost: loadLimit)
    return Prefetch(loads: loads.map(fillRequest), cancels: passed.map(fillRequest))
  }

  private func pagesToRead(_ shown: Range<Int>, selected: Int, ahead: Int) -> [Int] {
    let end = max(shown.upperBound, min(count, shown.upperBound + ahead))
    guard isHeadFull || shown.lowerBound >= reach else {
      return far.missing(in: shown.lowerBound..<end, nearest: selected).filter(far.fills.contains)
    }
    let places = [
      shown, shown.upperBound..<end, max(0, shown.lowerBound - ahead)..<shown.lowerBound,
    ]
    let numbers = places.flatMap { far.missing(in: $0.from(reach), nearest: selected) }
    return numbers.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  private var loadLimit: Int { DetachedPages.maxLoads - (phase == .loading ? 1 : 0) }

  /// Takes a count over if it adds to the known one; true if it differs.
  mutating func note(_ total: ProductTotal) -> Bool {
    // The source's count no longer includes them.
    if case .exactly = total { deleted = [] }
    let isNews =
      switch (total, self.total) {
      case (.unknown, _): false
      case (.atLeast(let least), .exactly(let count)), (.atLeast(let least), .atLeast(let count)):
        least > count
      case (.exactly, _), (.atLeast, .unknown): total != self.total
      }
    if isNews { self.total = total }
    return isNews
  }

  private func fillRequest(_ number: Int) -> FeedRequest {
    request(.number(number), .fill(number: number))
  }

  /// Takes a page in that was read by number.
  ///
  /// A changed count means that the other pages belong to another state of the market. A page that is
  /// empty, or repeats the head, means that the source has no pages by number.
  ///
  /// The page that the head would read next extends the head.
  mutating func takeFill(_ page: ProductPage, number: Int) -> [FeedRequest] {
    guard far.fills.contains(number) else { return [] }
    if phase == .idle, next == .number(number) {
      far.forgetFill(number)
      // As for a page that the head has requested: it must be shown to adjoin the rows.
      phase = .loading
      return append(page, at: .number(number))
    }
    if note(page.total) { far.forgetRows() }
    let isElsewhere = page.products.allSatisfy { known.contains($0.id) }
    if isElsewhere, far.start(of: number) < counted, far.start(of: number) >= reach {
      far.isRefused = true
      far.forgetRows()
      return []
    }
    far.put(page, number: number)
    far.trim(around: far.start(of: number))
    return []
  }

  /// Requests the visible pages away from the head again; their rows stay until then, others are
  /// dropped.
  mutating func rereadFar(_ shown: Range<Int>) -> [FeedRequest] {
    guard canJump, !shown.isEmpty, let first = far.number(at: shown.lowerBound) else { return [] }
    let last = far.number(at: shown.upperBound - 1) ?? first
    let numbers = first..<min(last, first + loadLimit - 1) + 1
    let kept = far.start(of: first)..<far.start(of: numbers.upperBound)
    far.keep(kept)
    for number in numbers { far.reread(number) }
    return numbers.map(fillRequest)
  }
}

extension Range<Int> {
  /// Part of the range from a bound on.
  fileprivate func from(_ bound: Int) -> Range<Int> {
    Swift.max(bound, lowerBound)..<Swift.max(bound, upperBound)
  }
}
