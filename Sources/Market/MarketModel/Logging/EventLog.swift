/// The port to the log for support: one line for each failure or each request, off by default.
///
/// Lines name the operation, never its content: no bodies, passwords or identifiers.
package struct EventLog: Sendable {
  private let write: (@Sendable (String) -> Void)?
  /// Whether each request is recorded, not only failures.
  package var hasRequests = false

  /// Log that writes nothing.
  package static let off = EventLog(nil)

  private init(_ write: (@Sendable (String) -> Void)?) { self.write = write }

  /// Log that passes lines to `write`, from any thread; they may contain foreign text.
  package init(_ write: @escaping @Sendable (String) -> Void) { self.write = write }

  package var isOn: Bool { write != nil }

  package func record(_ line: @autoclosure () -> String) {
    write?(line())
  }

  /// Runs `body` and records its failure with the duration.
  ///
  /// `detail` returns the text for a failure; nil records nothing.
  ///
  /// - Throws: what `body` throws.
  package func watching<Answer, Failure: Error>(
    _ asked: @autoclosure () -> String, _ detail: (Failure) -> String?,
    isolation: isolated (any Actor)? = #isolation,
    _ body: () async throws(Failure) -> Answer
  ) async throws(Failure) -> Answer {
    guard isOn else { return try await body() }
    let start = ContinuousClock.now
    do throws(Failure) {
      return try await body()
    } catch {
      if let detail = detail(error) { record(asked(), detail, since: start) }
      throw error
    }
  }

  /// Records the outcome of an operation that began at `start`, with the duration in milliseconds.
  package func record(_ asked: String, _ outcome: String, since start: ContinuousClock.Instant) {
    let passed = start.duration(to: .now).components
    let milliseconds = passed.seconds * 1_000 + passed.attoseconds / 1_000_000_000_000_000
    record("\(asked): \(outcome), \(milliseconds) ms")
  }
}

/// Repository that logs failures and passes them on.
package struct LoggedRepository: RepositoryDecorator {
  package let repository: any ProductRepository
  private let log: EventLog

  package init(_ repository: any ProductRepository, log: EventLog) {
    self.repository = repository
    self.log = log
  }

  package func perform<Answer: Sendable>(
    _ operation: RepositoryOperation,
    _ call: @Sendable () async throws(RepositoryError) -> Answer
  ) async throws(RepositoryError) -> Answer {
    let product = operation.product.map { " \($0.rawValue)" } ?? ""
    return try await log.watching(operation.name + product, \.logged, call)
  }
}
