internal import MarketModel

/// Places away from the head: which of their pages are read, and where they go.
extension ProductFeed {
  /// From so many rows on the head grows no more where pages can be read by number instead.
  private static let maxHeadSize = 2_000
  /// No list is longer, whatever a source says.
  private static let maxRows = Int(Int32.max)

  /// What to read for a part of the list, and what is wanted no more.
  package struct Fill: Hashable, Sendable {
    package var loads: [FeedRequest] = []
    package var cancels: [FeedRequest] = []

    package var isEmpty: Bool { loads.isEmpty && cancels.isEmpty }
  }

  /// Whether any place of the list can be gone to at once.
  var canJump: Bool {
    far.stride != nil && !far.isRefused && seenAt == nil && counted > head.count
  }

  /// Rows in all, as far as the source says.
  var counted: Int {
    switch total {
    case .exactly(let count), .atLeast(let count): min(count, Self.maxRows)
    case .unknown: 0
    }
  }

  /// The place up to which the head is read on; behind it, pages are read by number.
  var reach: Int { isHeadFull ? head.count : head.count + (far.stride ?? 0) }

  /// Whether the head grows no more, since pages can be read by number instead.
  var isHeadFull: Bool { canJump && head.count >= Self.maxHeadSize }

  /// Says which rows are on the screen; asks for the pages of those that have not been read, that
  /// of the selected one first, then for what lies `ahead` of the screen on both sides.
  ///
  /// Where the head is near, it is read on instead; what is on its way for the screen still comes.
  package mutating func fill(_ shown: Range<Int>, selected: Int, ahead: Int) -> Fill {
    guard !isStale, canJump else { return cancels() }
    let (wanted, limit) = (pagesToRead(shown, selected: selected, ahead: ahead), loadLimit)
    let (loads, passed) = far.want(wanted, atMost: limit)
    return Fill(loads: loads.map(fillRequest), cancels: passed.map(fillRequest))
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

  /// Takes a count over where it says more than what is known; true where it says otherwise.
  mutating func note(_ total: ProductTotal) -> Bool {
    // Who counts now counts without them.
    if case .exactly = total { deleted = [] }
    let isNews =
      switch (total, self.total) {
      case (.unknown, _): false
      case (.atLeast(let least), .exactly(let count)): least > count
      case (.exactly, _), (.atLeast, .unknown), (.atLeast, .atLeast): total != self.total
      }
    if isNews { self.total = total }
    return isNews
  }

  private mutating func cancels() -> Fill {
    Fill(cancels: far.want([], atMost: 0).passed.map(fillRequest))
  }

  private func fillRequest(_ number: Int) -> FeedRequest {
    request(.number(number), .fill(number: number))
  }

  /// Takes a page by number in.
  ///
  /// A count that has changed says that the pages around it are of another state of the market. One
  /// that holds nothing, or only what stands at the beginning, is no page of that number at all.
  ///
  /// The one that the head would read next extends it.
  mutating func takeFill(_ page: ProductPage, number: Int) -> [FeedRequest] {
    guard far.fills.contains(number) else { return [] }
    if phase == .idle, next == .number(number) {
      far.forgetFill(number)
      // Until it is known to adjoin the rows, as for a page that the head has asked for.
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

  /// Reads the pages on the screen again where they are away from the head; their rows stay until
  /// then, the others go.
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
  /// The part of it from a bound on.
  fileprivate func from(_ bound: Int) -> Range<Int> {
    Swift.max(bound, lowerBound)..<Swift.max(bound, upperBound)
  }
}
