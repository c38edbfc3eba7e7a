import Dispatch
import MarketAPI
import MarketModel
import Synchronization
import TestSupport

/// Writers and readers that use a city at once, each asking again until it is answered.
package final class ClusterLoad: Sendable {
  /// How long the load goes on.
  package enum Extent: Sendable {
    case products(Int)
    case seconds(Double)
  }

  private struct State {
    var report = ClusterReport()
    var events: ArraySlice<ClusterEvent>
    var event = "before"
    var begun = 0
    /// Whether the writers are done.
    var isOver = false
  }

  private static let writers = 6
  private static let readers = 4
  private static let pause = Duration.milliseconds(20)
  private static let timeout = Duration.seconds(60)

  private let client: ClusterClient
  private let picture: [UInt8]
  private let extent: Extent
  private let start = ContinuousClock.now
  private let state: Mutex<State>
  /// Where events happen, one after the other.
  private let eventQueue = DispatchQueue(label: "city.events")

  /// - Parameters:
  ///   - client: where to send requests.
  ///   - picture: the file that all products have.
  ///   - extent: how long it goes on.
  ///   - events: what happens meanwhile, in order.
  package init(
    by client: ClusterClient, picture: [UInt8], _ extent: Extent, events: [ClusterEvent] = []
  ) {
    self.client = client
    self.picture = picture
    self.extent = extent
    state = Mutex(State(events: events[...]))
  }

  /// Runs until everything that was begun has been answered.
  package func run() async -> ClusterReport {
    async let reading: Void = withTaskGroup(of: Void.self) { group in
      for _ in 0..<Self.readers { group.addTask { await self.read() } }
    }
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<Self.writers { group.addTask { await self.write() } }
    }
    state.withLock { $0.isOver = true }
    await reading
    return state.withLock { state in
      state.report.duration = ContinuousClock.now - start
      return state.report
    }
  }

  private func write() async {
    while let number = nextNumber() {
      let name = "lamp \(number)"
      let seller = Author.seller(SellerIdentifier(secret: "seller-\(number % 7)"))
      let registration = ProductRegistration.sample(name: name, stock: 1, pictures: [picture])
      let key = IdempotencyKey(rawValue: name)
      guard
        let made = await detail(.register(registration, seller, key), .registering)
      else { continue }
      acknowledge(made)
      let update = ProductUpdate(
        id: made.id, patch: ProductPatch(stock: Int64(number) + 2), password: Password("secret"),
        author: seller)
      if let changed = await detail(.update(update), .changing) { acknowledge(changed) }
    }
  }

  private func read() async {
    while !state.withLock({ $0.isOver }) {
      if let id = state.withLock({ $0.report.newest }) {
        _ = await detail(.detail(id), .reading)
      }
      _ = await answer(to: .page(PageRequest(size: 20)), .reading)
    }
  }

  /// The product that an operation is answered with; what else comes is a mistake.
  private func detail(
    _ operation: MarketOperation, _ kind: ClusterReport.Kind
  ) async -> ProductDetail? {
    guard let response = await answer(to: operation, kind) else { return nil }
    guard let detail = try? client.dialect.detail(from: response, for: operation) else {
      let text = String(decoding: response.body.prefix(200), as: UTF8.self)
      state.withLock {
        $0.report.mistakes.append("\(kind): \(response.status.rawValue) \(text)")
      }
      return nil
    }
    return detail
  }

  /// Repeats a request until a server answers.
  private func answer(
    to operation: MarketOperation, _ kind: ClusterReport.Kind
  ) async -> HTTPResponse? {
    let begin = ContinuousClock.now
    while ContinuousClock.now - begin < Self.timeout {
      if case .answer(let response)? = try? await client.send(operation) {
        didAnswer(after: ContinuousClock.now - begin)
        return response
      }
      state.withLock { state in
        let failure = ClusterReport.Failure(event: state.event, kind: kind)
        state.report.failures[failure, default: 0] += 1
      }
      try? await Task.sleep(for: Self.pause)
    }
    state.withLock { $0.report.mistakes.append("\(kind): no answer in \(Self.timeout)") }
    return nil
  }

  private func nextNumber() -> Int? {
    state.withLock { state in
      let isOver =
        switch extent {
        case .products(let count): state.begun >= count
        case .seconds: timeShare >= 1
        }
      guard !isOver else { return nil }
      state.begun += 1
      return state.begun
    }
  }

  private func acknowledge(_ detail: ProductDetail) {
    state.withLock { state in
      state.report.acknowledged[detail.product.name] = detail.product.stock
      state.report.newest = detail.id
    }
  }

  private func didAnswer(after wait: Duration) {
    let share = share
    let due = state.withLock { state -> ClusterEvent? in
      state.report.answers += 1
      state.report.maxWait = max(state.report.maxWait, wait)
      guard let next = state.events.first, next.share <= share else { return nil }
      return state.events.popFirst()
    }
    if let due { eventQueue.async { self.happen(due) } }
  }

  private func happen(_ event: ClusterEvent) {
    state.withLock { $0.event = event.name }
    do {
      try event.action()
    } catch {
      state.withLock { $0.report.mistakes.append("\(event.name): \(error)") }
    }
  }

  /// How much of the run is over, 0 to 1.
  private var share: Double {
    switch extent {
    case .seconds: timeShare
    case .products(let count):
      Double(state.withLock { $0.report.acknowledged.count }) / Double(count)
    }
  }

  private var timeShare: Double {
    guard case .seconds(let seconds) = extent else { return 0 }
    return (ContinuousClock.now - start) / .seconds(seconds)
  }
}
