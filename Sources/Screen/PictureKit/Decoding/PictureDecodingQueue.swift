internal import Dispatch
internal import DispatchBridge
package import MarketModel

/// Queue that decodes pictures elsewhere than on the main queue: two at a time, of which one may be
/// large, in the order in which they were asked for.
///
/// A task that is cancelled leaves the queue at once, and a picture at the next stage of decoding.
package actor PictureDecodingQueue {
  private let executor = QueueExecutor(label: "pictures.queue")
  private let workers: [DecodingWorker]
  private let decoder: PictureDecoder
  private var slots: DecodingSlots
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

  /// Decodes as `PictureDecoder` does, within limits of its own where these are given.
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

  /// Waits until no picture is being decoded, for work that is to have no part in the hurry.
  package func whenIdle() async {
    guard !slots.isIdle else { return }
    await withCheckedContinuation { waitingForIdleness.append($0) }
  }

  /// Waits for a worker; nil where the task is cancelled before there is one.
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
  /// Whether it would be too much to decode two of this kind at a time.
  fileprivate var isLarge: Bool { cost.memory > 16 << 20 }
}

/// Worker on whose queue decoders block; it gives way to keys and their frames.
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

/// Queue of pictures to decode: two run at a time, of which one may be large, the others wait in
/// the order in which they came.
struct DecodingSlots {
  private struct Request {
    let id: Int
    let isLarge: Bool
  }

  private var waiting: [Request] = []
  /// By worker; nil for one that is free.
  private var running: [Request?]

  init(workers: Int) {
    running = Array(repeating: nil, count: workers)
  }

  /// Whether nothing is decoded and nothing waits.
  var isIdle: Bool { waiting.isEmpty && running.allSatisfy { $0 == nil } }

  mutating func add(_ id: Int, isLarge: Bool) {
    waiting.append(Request(id: id, isLarge: isLarge))
  }

  /// Forgets a picture that waits; false where it does not.
  mutating func cancel(_ id: Int) -> Bool {
    guard let index = waiting.firstIndex(where: { $0.id == id }) else { return false }
    waiting.remove(at: index)
    return true
  }

  mutating func finish(worker: Int) {
    running[worker] = nil
  }

  /// Takes the next picture that may run, with its worker; to be called until it gives nil.
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
