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
