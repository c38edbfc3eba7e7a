import Synchronization

/// How many requests of a method and path have come.
final class RequestCounts: Sendable {
  private let counts = Mutex<[String: Int]>([:])

  /// The number of those that came before this one, which counts from now on.
  func next(_ request: ReceivedRequest) -> Int {
    counts.withLock { counts in
      let key = request.method + " " + request.path
      defer { counts[key, default: 0] += 1 }
      return counts[key, default: 0]
    }
  }
}
