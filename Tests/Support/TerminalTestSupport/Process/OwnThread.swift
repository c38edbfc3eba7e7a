// Programs that measure use this module too, and are built where there is no Testing.
#if canImport(Testing)
  import Dispatch
  package import Testing

  /// Runs each test of a suite on a thread of its own, so that one which waits for another program keeps no
  /// thread of the pool from the tests beside it.
  package struct OwnThread: SuiteTrait, TestTrait, TestScoping {
    package let isRecursive = true

    package func provideScope(
      for test: Test, testCase: Test.Case?,
      performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
      guard testCase != nil else { return try await function() }
      try await withTaskExecutorPreference(Executor()) { try await function() }
    }

    private final class Executor: TaskExecutor {
      private let queue = DispatchQueue(label: "test")

      func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
      }
    }
  }

  extension Trait where Self == OwnThread {
    package static var ownThread: OwnThread { OwnThread() }
  }
#endif
