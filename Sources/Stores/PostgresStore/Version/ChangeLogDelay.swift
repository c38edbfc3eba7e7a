/// What of a log may be told when: not before every server has forgotten what it remembers of before.
struct ChangeLogDelay {
  private var newest: (seen: SeenTransactions, end: ContinuousClock.Instant)?

  /// Time from which on what was read just now may be told; what was read again is no younger for it.
  mutating func end(
    of seen: SeenTransactions, readAt now: ContinuousClock.Instant
  ) -> ContinuousClock.Instant {
    if let newest, newest.seen == seen { return newest.end }
    let end = now + VersionPoller.lifetime
    newest = (seen, end)
    return end
  }
}
