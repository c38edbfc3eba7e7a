import MarketModel

/// A portion that is being written while the next one is read.
struct ImportWriting {
  private let task: Task<Result<ImportReceipt, RepositoryError>, Never>
  /// How many products the portion has.
  let count: Int

  init(_ step: @escaping ImportStep, of count: Int) {
    self.count = count
    task = Task {
      do throws(RepositoryError) {
        return .success(try await step())
      } catch {
        return .failure(error)
      }
    }
  }

  func receipt() async throws(RepositoryError) -> ImportReceipt {
    try await task.value.get()
  }
}
