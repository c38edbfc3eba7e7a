import Dispatch
import Glibc
import MarketModel
import TestSupport
import Testing

@testable import StoreCore

@Suite(.timeLimit(.minutes(1))) struct PatientCallsTests {
  @Test func `who waits for a call that hangs gives up, and others are refused for a moment`()
    async throws
  {
    let calls = PatientCalls("test", lanes: 2, patience: .milliseconds(50))
    let end = DispatchSemaphore(value: 0)
    defer { end.signal() }

    await #expect(throws: PictureStorageError.timedOut) {
      try await calls.run {
        end.wait()
        return .success(1)
      }
    }
    let began = ContinuousClock.now
    await #expect(throws: PictureStorageError.timedOut) { try await calls.run { .success(2) } }

    #expect(ContinuousClock.now - began < .milliseconds(40))
  }

  @Test func `calls wait for those before them, and all come to their turn`() async throws {
    let calls = PatientCalls("test", lanes: 2, patience: .seconds(30))

    let sum = try await withThrowingTaskGroup(of: Int.self) { group in
      for number in 1...200 { group.addTask { try await calls.run { .success(number) } } }
      return try await group.reduce(0, +)
    }

    #expect(sum == 20_100)
  }

  @Test func `a failure comes home as it was`() async throws {
    let calls = PatientCalls("test", lanes: 1, patience: .seconds(30))

    await #expect(throws: PictureStorageError.full) {
      try await calls.run { () -> Result<Int, PictureStorageError> in .failure(.full) }
    }
  }
}

@Suite(.timeLimit(.minutes(1))) struct FolderStorageTests {
  @Test func `files are there when they were put, and gone when they were deleted`() async throws {
    let folder = try TemporaryFolder()
    let storage = FolderStorage(at: folder.path)

    try await storage.put([1, 2, 3], at: "ab/abc")
    let found = try await storage.bytes(at: "ab/abc", atMost: 3)
    try await storage.delete("ab/abc")
    try await storage.delete("ab/abc")

    #expect(found == [1, 2, 3])
    #expect(try await storage.bytes(at: "ab/abc", atMost: 3) == nil)
  }

  @Test func `a folder that is missing is no empty one, and is not made`() async throws {
    let folder = try TemporaryFolder()
    let storage = FolderStorage(at: folder.path(of: "unmounted"))

    await #expect(throws: PictureStorageError.self) {
      try await storage.bytes(at: "ab/abc", atMost: 3)
    }
    await #expect(throws: PictureStorageError.self) { try await storage.put([1], at: "ab/abc") }
    #expect(access(folder.path(of: "unmounted"), F_OK) != 0)
  }

  @Test func `a file longer than a picture is not read`() async throws {
    let folder = try TemporaryFolder()
    let storage = FolderStorage(at: folder.path)
    try await storage.put([1, 2, 3, 4], at: "ab/abc")

    await #expect(throws: PictureStorageError.tooLarge) {
      try await storage.bytes(at: "ab/abc", atMost: 3)
    }
  }

  @Test func `files belong to whoever runs the server alone`() async throws {
    let folder = try TemporaryFolder()
    let storage = FolderStorage(at: folder.path)

    try await storage.put([1], at: "ab/abc")

    var status = stat()
    #expect(stat(folder.path(of: "ab/abc"), &status) == 0)
    #expect(status.st_mode & 0o077 == 0)
  }
}
