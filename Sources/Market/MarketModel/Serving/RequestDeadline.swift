/// Deadline of a request, for every step that works on it.
package enum RequestDeadline {
  /// Time for one request, so that the response is sent within five seconds also on a busy machine.
  package static let standard = Duration.milliseconds(4_500)

  /// Nil outside of requests: an import has no deadline.
  @TaskLocal package static var deadline: ContinuousClock.Instant?

  /// Runs a body with a deadline; an earlier one that is set already stays.
  package static func limited<Answer>(
    to time: Duration, _ body: () async -> Answer
  ) async -> Answer {
    let end = ContinuousClock.now + time
    return await $deadline.withValue(deadline.map { min($0, end) } ?? end, operation: body)
  }

  /// Returns the time left to the deadline, at most `limit`; zero when it has passed.
  package static func remaining(atMost limit: Duration) -> Duration {
    guard let deadline else { return limit }
    return max(.zero, min(limit, deadline - ContinuousClock.now))
  }
}
