/// Order in which requests are answered where many come at once: so many at a time for one address and
/// for all, the others in the order in which they came.
struct Turns {
  private let limit: Int
  private let limitOfAddress: Int
  private var counts: [String: Int] = [:]
  private var total = 0
  /// Requests that wait, by their numbers.
  private var queue: [(number: UInt64, address: String)] = []

  /// Takes how many requests are answered at a time, in all and of one address.
  init(limit: Int, ofAddress limitOfAddress: Int) {
    self.limit = limit
    self.limitOfAddress = limitOfAddress
  }

  /// Takes a turn for a request, or puts it at the end of the queue; true where it may be answered
  /// now.
  mutating func take(_ number: UInt64, for address: String) -> Bool {
    guard hasRoom(for: address) else {
      queue.append((number, address))
      return false
    }
    begin(address)
    return true
  }

  /// Gives a turn back, and gives the request whose turn it is now; nil where none waits that may
  /// go on.
  mutating func end(_ address: String) -> UInt64? {
    total -= 1
    counts[address] = counts[address].flatMap { $0 > 1 ? $0 - 1 : nil }
    guard let index = queue.firstIndex(where: { hasRoom(for: $0.address) }) else { return nil }
    let next = queue.remove(at: index)
    begin(next.address)
    return next.number
  }

  /// Takes a request out of the queue whose client has gone.
  mutating func leave(_ number: UInt64) { queue.removeAll { $0.number == number } }

  private mutating func begin(_ address: String) {
    total += 1
    counts[address, default: 0] += 1
  }

  private func hasRoom(for address: String) -> Bool {
    total < limit && counts[address, default: 0] < limitOfAddress
  }
}
