/// The time by which a request has to be answered, for everything that is asked on its way.
package enum RequestDeadline {
  /// Time that a request has: its answer is out within five seconds, also on a busy machine.
  package static let standard = Duration.milliseconds(4_500)

  /// Nil outside of requests: an import takes as long as it takes.
  @TaskLocal package static var deadline: ContinuousClock.Instant?

  /// Runs a body that has to be done in time; of two limits the earlier one counts.
  package static func limited<Answer>(
    to time: Duration, _ body: () async -> Answer
  ) async -> Answer {
    let end = ContinuousClock.now + time
    return await $deadline.withValue(deadline.map { min($0, end) } ?? end, operation: body)
  }

  /// What is left of a request's time, and at most so much; zero where nothing is.
  package static func remaining(atMost limit: Duration) -> Duration {
    guard let deadline else { return limit }
    return max(.zero, min(limit, deadline - ContinuousClock.now))
  }
}
