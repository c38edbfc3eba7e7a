internal import Dispatch
internal import DispatchBridge
package import MarketModel

/// Queue that decodes pictures off the main queue: two at a time, at most one of them large, in order
/// of request.
///
/// A cancelled task leaves the queue at once; a running decoding stops at its next stage.
package actor PictureDecodingQueue {
  private let executor = QueueExecutor(label: "pictures.queue")
  private let workers: [DecodingWorker]
  private let decoder: PictureDecoder
  private var slots: DecodingSlots
  /// Continuations of queued requests by their number; resumed with a worker, or with nil on
  /// cancellation.
  private var waiting: [Int: CheckedContinuation<Int?, Never>] = [:]
  private var waitingForIdleness: [CheckedContinuation<Void, Never>] = []
  private var lastID = 0

  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  package init(limits: DecodingLimits = DecodingLimits()) {
    let decoder = PictureDecoder(limits: limits)
    self.decoder = decoder
    workers = (0..<2).map { DecodingWorker(number: $0, decoder: decoder) }
    slots = DecodingSlots(workers: workers.count)
  }

  /// Decodes as `PictureDecoder` does; `limits` replaces those of the queue for the plan, nil keeps
  /// them.
  ///
  /// - Throws: what `PictureDecoder.decode(_:into:_:)` throws.
  package func decode(
    _ bytes: [UInt8], into box: PixelSize, _ framing: Framing = .fit,
    within limits: DecodingLimits? = nil
  ) async throws(PictureError) -> Bitmap {
    let plan = try DecodingPlan(
      bytes, box: box, framing: framing, limits: limits ?? decoder.limits)
    guard let worker = await enter(isLarge: plan.isLarge) else { throw .cancelled }
    defer { leave(worker) }
    return try await workers[worker].decode(bytes, plan)
  }

  /// Waits until no picture is being decoded or queued; for work of lower priority.
  package func whenIdle() async {
    guard !slots.isIdle else { return }
    await withCheckedContinuation { waitingForIdleness.append($0) }
  }

  /// Waits for a free worker; returns nil where the task is cancelled first.
  private func enter(isLarge: Bool) async -> Int? {
    lastID += 1
    let id = lastID
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        guard !Task.isCancelled else {
          continuation.resume(returning: nil)
          return
        }
        waiting[id] = continuation
        slots.add(id, isLarge: isLarge)
        startNext()
      }
    } onCancel: {
      Task { await self.cancel(id) }
    }
  }

  private func leave(_ worker: Int) {
    slots.finish(worker: worker)
    startNext()
  }

  private func cancel(_ id: Int) {
    guard slots.cancel(id) else { return }
    waiting.removeValue(forKey: id)?.resume(returning: nil)
  }

  private func startNext() {
    while let next = slots.start() {
      waiting.removeValue(forKey: next.id)?.resume(returning: next.worker)
    }
    guard slots.isIdle else { return }
    for continuation in waitingForIdleness { continuation.resume() }
    waitingForIdleness = []
  }
}

extension DecodingPlan {
  /// Whether at most one such picture may be decoded at a time: more than 16 MiB.
  fileprivate var isLarge: Bool { cost.memory > 16 << 20 }
}

/// Worker that blocks its own queue while decoding, at utility priority, below keys and frames.
private actor DecodingWorker {
  private let executor: QueueExecutor
  private let decoder: PictureDecoder

  nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  init(number: Int, decoder: PictureDecoder) {
    executor = QueueExecutor(label: "pictures.worker-\(number)", qos: .utility)
    self.decoder = decoder
  }

  func decode(_ bytes: [UInt8], _ plan: DecodingPlan) throws(PictureError) -> Bitmap {
    try decoder.decode(bytes, plan)
  }
}

/// Scheduler of decodings: two run at a time, at most one of them large; the others wait in order of
/// arrival.
struct DecodingSlots {
  private struct Request {
    let id: Int
    let isLarge: Bool
  }

  private var waiting: [Request] = []
  /// Running requests by worker; nil for a free worker.
  private var running: [Request?]

  init(workers: Int) {
    running = Array(repeating: nil, count: workers)
  }

  /// Whether no request runs and none waits.
  var isIdle: Bool { waiting.isEmpty && running.allSatisfy { $0 == nil } }

  mutating func add(_ id: Int, isLarge: Bool) {
    waiting.append(Request(id: id, isLarge: isLarge))
  }

  /// Removes a waiting request; returns false where it is not waiting.
  mutating func cancel(_ id: Int) -> Bool {
    guard let index = waiting.firstIndex(where: { $0.id == id }) else { return false }
    waiting.remove(at: index)
    return true
  }

  mutating func finish(worker: Int) {
    running[worker] = nil
  }

  /// Starts the next request that may run and returns it with its worker; call until it returns nil.
  mutating func start() -> (id: Int, worker: Int)? {
    let hasLarge = running.contains { $0?.isLarge == true }
    guard let worker = running.firstIndex(where: { $0 == nil }),
      let index = waiting.firstIndex(where: { !($0.isLarge && hasLarge) })
    else { return nil }
    let request = waiting.remove(at: index)
    running[worker] = request
    return (request.id, worker)
  }
}
