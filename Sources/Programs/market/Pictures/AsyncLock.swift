import MarketModel

/// Gate that one operation passes at a time: who comes meanwhile waits for their turn.
actor AsyncLock {
  private var isTaken = false
  private var waiting: [(id: Int, turn: CheckedContinuation<Bool, Never>)] = []
  private var lastID = 0

  /// Does something, which may wait for others, when nobody else does any of it; fails with
  /// `.cancelled` where the task was cancelled before its turn.
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

  /// Waits for the turn; false where the task is cancelled before.
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
