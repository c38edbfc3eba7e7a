/// The time by which a request has to be answered, for everything that is asked on its way.
package enum RequestBudget {
  /// Nil outside of requests: an import takes as long as it takes.
  @TaskLocal package static var deadline: ContinuousClock.Instant?

  /// Runs a body that has to be done in time; of two limits the earlier one counts.
  ///
  /// - Parameters:
  ///   - time: how long it may take.
  ///   - body: what is to be done.
  /// - Returns: what the body returned.
  package static func limited<Answer>(
    to time: Duration, _ body: () async -> Answer
  ) async -> Answer {
    let end = ContinuousClock.now + time
    return await $deadline.withValue(deadline.map { min($0, end) } ?? end, operation: body)
  }
}
