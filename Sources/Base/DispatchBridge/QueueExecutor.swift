package import Dispatch

/// Serial executor on its own Dispatch queue, so that an actor's blocking calls (SQL, decoding,
/// hashing) never hold a thread of the shared pool.
///
/// An actor adopts it by returning `asUnownedSerialExecutor()` from `unownedExecutor`.
package final class QueueExecutor: SerialExecutor {
  package let queue: DispatchQueue

  /// Creates the queue, with a label for debuggers and the quality of service of the actor's work.
  package init(label: String, qos: DispatchQoS = .userInitiated) {
    queue = DispatchQueue(label: label, qos: qos)
  }

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let executor = asUnownedSerialExecutor()
    queue.async { job.runSynchronously(on: executor) }
  }

  package func asUnownedSerialExecutor() -> UnownedSerialExecutor {
    UnownedSerialExecutor(ordinary: self)
  }

  package func checkIsolated() {
    dispatchPrecondition(condition: .onQueue(queue))
  }
}

extension DispatchTimeInterval {
  /// A duration in whole nanoseconds; one below 0 is 0.
  package init(_ duration: Duration) {
    self = .nanoseconds(max(0, Int(duration / .nanoseconds(1))))
  }
}
