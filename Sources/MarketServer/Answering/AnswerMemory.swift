import MarketModel
import Synchronization

/// Answers of one version of the market's data; another version begins anew.
final class AnswerMemory: Sendable {
  /// What an answer depends on beside the data.
  struct Key: Hashable, Sendable {
    /// As the request line holds it.
    let target: String
    /// What the addresses in the answer begin with.
    let base: String
  }

  fileprivate struct State {
    var version: Int64?
    var answers: [Key: RememberedAnswer] = [:]
    var byteCount = 0
    /// Answers that somebody is finding out just now; others wait for the same.
    var searches: [Key: Task<RememberedAnswer, Never>] = [:]
  }

  private let byteLimit: Int
  private let state = Mutex(State())

  /// - Parameter byteLimit: what all answers together may have.
  init(byteLimit: Int) {
    self.byteLimit = byteLimit
  }

  /// The answer where it is known; without a version nothing is.
  func answer(for key: Key, at version: Int64?) -> RememberedAnswer? {
    guard let version else { return nil }
    return state.withLock { state in
      state.turn(to: version)
      return state.answers[key]
    }
  }

  /// The answer, found out once however many ask for it at a time.
  ///
  /// - Parameters:
  ///   - key: what is asked.
  ///   - version: the version of the data, which was read before this call: what is found out now
  ///     is at least as new.
  ///   - find: finds the answer.
  /// - Returns: the answer, which is kept if it is a success.
  func answer(
    for key: Key, at version: Int64?, finding find: @escaping @Sendable () async -> RememberedAnswer
  ) async -> RememberedAnswer {
    guard let version else { return await find() }
    let search = state.withLock { state in
      state.turn(to: version)
      if let known = state.answers[key] { return Task { known } }
      if let search = state.searches[key] { return search }
      let search = Task {
        let answer = await find()
        self.keep(answer, for: key, at: version)
        return answer
      }
      state.searches[key] = search
      return search
    }
    return await search.value
  }

  private func keep(_ answer: RememberedAnswer, for key: Key, at version: Int64) {
    state.withLock { state in
      guard state.version == version else { return }
      state.searches[key] = nil
      guard answer.isSuccess, answer.byteCount <= byteLimit / 4 else { return }
      if state.byteCount + answer.byteCount > byteLimit {
        state.answers = [:]
        state.byteCount = 0
      }
      state.answers[key] = answer
      state.byteCount += answer.byteCount
    }
  }
}

extension AnswerMemory.State {
  fileprivate mutating func turn(to version: Int64) {
    guard self.version != version else { return }
    self.version = version
    answers.removeAll(keepingCapacity: true)
    searches.removeAll(keepingCapacity: true)
    byteCount = 0
  }
}
