/// Queue for a limited number of slots: work that finds a free slot begins, other work waits.
///
/// A value without a lock: its owner locks it, starts the work that it returns, and holds what a slot
/// stands for. Inlinable, since an event loop uses it for each request.
package struct SlotQueue<Client: Hashable, Work> {
  /// Order in which waiting work begins.
  package enum Order {
    /// Order of arrival; each client has slots of its own.
    case arrival
    /// Work of the client with the fewest running, then order of arrival; all clients share `total`
    /// slots.
    case fewestRunning(total: Int)
  }

  /// What becomes of work that asks for a slot.
  package enum Entry { case begins, waits, refused }

  @usableFromInline
  struct Line {
    @usableFromInline var limit: Int
    @usableFromInline var running = 0
    @usableFromInline var waiting: ArraySlice<(arrival: Int, work: Work)> = []

    @inlinable
    init(limit: Int) { self.limit = limit }

    @inlinable var isIdle: Bool { running == 0 && waiting.isEmpty }

    /// Whether the first waiting work may begin.
    @inlinable var mayBegin: Bool { running < limit && !waiting.isEmpty }

    /// The lowest one begins first.
    @inlinable var rank: (Int, Int) { (running, waiting.first?.arrival ?? .max) }

    @inlinable
    mutating func enter(_ work: Work, _ arrival: Int, hasRoom: Bool, _ maxWaiting: Int) -> Entry {
      if hasRoom, running < limit {
        running += 1
        return .begins
      }
      guard waiting.count < maxWaiting else { return .refused }
      waiting.append((arrival, work))
      return .waits
    }

    /// Starts the first waiting work; nil if there is none or no room for it.
    @inlinable
    mutating func begin() -> Work? {
      guard mayBegin else { return nil }
      running += 1
      return waiting.popFirst()?.work
    }
  }

  @usableFromInline let limit: Int
  @usableFromInline let maxWaiting: Int
  /// Slots of all clients; nil where each client has its own.
  @usableFromInline let total: Int?
  /// Clients with running or waiting work.
  @usableFromInline var lines: [Client: Line] = [:]
  @usableFromInline var running = 0
  @usableFromInline var arrivals = 0
  /// Waiting work of all clients.
  @usableFromInline package var waitingCount = 0

  /// Creates a queue with the maximum of running and of waiting work of a client; further work is
  /// refused.
  package init(limit: Int, maxWaiting: Int = .max, order: Order = .arrival) {
    self.limit = limit
    self.maxWaiting = maxWaiting
    total = if case .fewestRunning(let total) = order { total } else { nil }
  }

  /// Takes a slot, or appends the work to the client's line.
  @inlinable
  package mutating func enter(_ client: Client, _ work: Work) -> Entry {
    let entry = lines[client, default: Line(limit: limit)].enter(
      work, arrivals, hasRoom: running < total ?? .max, maxWaiting)
    switch entry {
    case .begins: running += 1
    case .waits: (arrivals, waitingCount) = (arrivals + 1, waitingCount + 1)
    case .refused: break
    }
    return entry
  }

  /// Frees a slot of the client; returns the work that has it now, nil if none may begin.
  @inlinable
  package mutating func leave(_ client: Client) -> Work? {
    running -= 1
    lines[client]?.running -= 1
    defer { if lines[client]?.isIdle == true { lines[client] = nil } }
    return waitingCount > 0 ? begin(total == nil ? client : nextClient) : nil
  }

  /// Sets the limit of a client as long as it has running work; returns the work that begins now.
  package mutating func setLimit(of client: Client, to limit: Int) -> [Work] {
    lines[client]?.limit = limit
    var begun: [Work] = []
    while let work = begin(client) { begun.append(work) }
    return begun
  }

  /// Removes and returns a client's waiting work.
  @discardableResult
  package mutating func remove(of client: Client, where isRemoved: (Work) -> Bool) -> [Work] {
    guard waitingCount > 0, let waiting = lines[client]?.waiting else { return [] }
    let removed = waiting.filter { isRemoved($0.work) }
    guard !removed.isEmpty else { return [] }
    lines[client]?.waiting.removeAll { isRemoved($0.work) }
    if lines[client]?.isIdle == true { lines[client] = nil }
    waitingCount -= removed.count
    return removed.map(\.work)
  }

  /// Client whose work is the next one; nil if none may begin.
  @inlinable var nextClient: Client? {
    let lines = lines.lazy.filter { $0.value.mayBegin }
    return lines.min { $0.value.rank < $1.value.rank }?.key
  }

  /// Starts a client's first waiting work if there is room for it.
  @inlinable
  mutating func begin(_ client: Client?) -> Work? {
    guard let client, running < total ?? .max, let work = lines[client]?.begin() else { return nil }
    running += 1
    waitingCount -= 1
    return work
  }
}

/// Sole client of a queue that has one line for all work.
package enum Everyone: Hashable, Sendable { case all }
