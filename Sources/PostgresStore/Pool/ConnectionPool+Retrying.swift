import MarketModel

extension ConnectionPool {
  private static let conflictLimit = 12
  /// Together one second: longer than a database takes to start again.
  private static let reconnectionMilliseconds = [0, 50, 100, 150, 300, 400]

  /// As long as others have a connection, there will be a turn on theirs.
  private static let turnLimit = 40

  private func mayReconnect(after losses: Int) -> Bool {
    losses < (isConnected ? Self.turnLimit : Self.reconnectionMilliseconds.count)
  }

  /// Runs a transaction, and runs it again where another one was in its way or the connection was
  /// lost before anything was committed.
  ///
  /// - Parameters:
  ///   - isRepeatable: whether running it twice does no more than running it once, so that it may
  ///     be run again also where nobody knows whether it was committed.
  ///   - body: the transaction, from begin to commit.
  /// - Returns: what the body returned.
  /// - Throws: what cannot be helped.
  func transact<Answer: Sendable>(
    isRepeatable: Bool = false,
    _ body: @escaping @Sendable (PostgresConnection) throws(PostgresError) -> Answer
  ) async throws(PostgresError) -> Answer {
    let end = RequestBudget.deadline
    var conflicts = 0
    var losses = 0
    while true {
      let pause: Int
      do {
        return try await use(before: end, body)
      } catch {
        switch error {
        case .conflict where conflicts < Self.conflictLimit:
          conflicts += 1
          pause = .random(in: 0...min(200, 1 << conflicts))
        case let error
        where error.isLoss(isRepeatable: isRepeatable) && mayReconnect(after: losses):
          let pauses = Self.reconnectionMilliseconds
          pause = pauses[min(losses, pauses.count - 1)]
          losses += 1
        default: throw error
        }
        // There has to be time left for one more answer.
        if let end, end - .now < .milliseconds(pause) + Self.lastWord { throw error }
      }
      do {
        try await Task.sleep(for: .milliseconds(pause))
      } catch {
        throw .cancelled
      }
    }
  }
}

extension PostgresError {
  fileprivate func isLoss(isRepeatable: Bool) -> Bool {
    switch self {
    case .disconnected: true
    case .commitUnknown: isRepeatable
    default: false
    }
  }
}
