import MarketModel

/// Lock that one task holds at a time; others wait in order.
actor AsyncLock {
  private var isTaken = false
  private var waiting: [(id: Int, turn: CheckedContinuation<Bool, Never>)] = []
  private var lastID = 0

  /// Runs `body` while it holds the lock.
  /// - Throws: `.cancelled` if the task is cancelled while it waits, else what `body` throws.
  nonisolated func run<Value: Sendable>(
    _ body: @Sendable () async throws(PictureError) -> Value
  ) async throws(PictureError) -> Value {
    guard await enter() else { throw .cancelled }
    do throws(PictureError) {
      let value = try await body()
      await leave()
      return value
    } catch {
      await leave()
      throw error
    }
  }

  /// Waits for the lock; false if the task is cancelled first.
  private func enter() async -> Bool {
    guard isTaken else {
      isTaken = true
      return true
    }
    lastID += 1
    let id = lastID
    return await withTaskCancellationHandler {
      await withCheckedContinuation { turn in
        if Task.isCancelled { turn.resume(returning: false) } else { waiting.append((id, turn)) }
      }
    } onCancel: {
      Task { await self.cancel(id) }
    }
  }

  private func cancel(_ id: Int) {
    guard let index = waiting.firstIndex(where: { $0.id == id }) else { return }
    waiting.remove(at: index).turn.resume(returning: false)
  }

  private func leave() {
    isTaken = !waiting.isEmpty
    if isTaken { waiting.removeFirst().turn.resume(returning: true) }
  }
}
