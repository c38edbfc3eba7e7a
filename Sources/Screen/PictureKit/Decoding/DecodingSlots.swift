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
