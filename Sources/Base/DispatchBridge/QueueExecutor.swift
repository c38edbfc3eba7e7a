package import Dispatch

/// Executor that runs an actor on a serial Dispatch queue of its own, so that calls which block
/// (SQL, decoding, hashing) never hold a thread of the shared pool.
///
/// An actor adopts it by returning `asUnownedSerialExecutor()` from `unownedExecutor`.
package final class QueueExecutor: SerialExecutor {
  package let queue: DispatchQueue

  /// Makes the queue, under a name for debuggers and with the urgency of the work that the actor
  /// does.
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
