/// The port to the log for support: a line for each thing that went wrong, nothing unless asked for.
///
/// Lines say what was asked, never what was in it: no bodies, passwords or identifiers.
package struct EventLog: Sendable {
  private let write: (@Sendable (String) -> Void)?

  /// The log of a run without one.
  package static let off = EventLog(nil)

  private init(_ write: (@Sendable (String) -> Void)?) {
    self.write = write
  }

  /// A log that hands on lines, which may hold foreign text, from any thread.
  package init(_ write: @escaping @Sendable (String) -> Void) {
    self.write = write
  }

  package var isOn: Bool { write != nil }

  package func record(_ line: @autoclosure () -> String) {
    write?(line())
  }

  /// Runs what may fail, and records each failure with how long it took.
  ///
  /// `detail` is what the log may say of a failure; nil for what is none.
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

  /// Records what became of something that began at `start`.
  package func record(_ asked: String, _ outcome: String, since start: ContinuousClock.Instant) {
    let passed = start.duration(to: .now).components
    let milliseconds = passed.seconds * 1_000 + passed.attoseconds / 1_000_000_000_000_000
    record("\(asked): \(outcome), \(milliseconds) ms")
  }
}

/// A repository whose failures are recorded on their way to whoever asked.
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
