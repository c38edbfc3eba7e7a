import Dispatch
import Expectations
import Glibc
import MarketModel
import Synchronization
import TestSupport
import Testing

@testable import StoreCore

struct TimeLimitedCallsTests {
  @Test func `who waits for a call that hangs gives up, and others are refused for a moment`()
    async throws
  {
    let calls = TimeLimitedCalls(
      "test", lanes: 2, timeout: .milliseconds(50), silence: .seconds(3_600))
    let end = DispatchSemaphore(value: 0)
    defer { end.signal() }

    await #expect(throws: PictureStorageError.timedOut) {
      try await calls.run {
        end.wait()
        return .success(1)
      }
    }
    await #expect(throws: PictureStorageError.timedOut) {
      try await calls.run {
        Issue.record("a call that is refused ran")
        return .success(2)
      }
    }
  }

  @Test func `calls wait for those before them, and all come to their turn`() async throws {
    let calls = TimeLimitedCalls("test", lanes: 2, timeout: .seconds(30))

    let sum = try await withThrowingTaskGroup(of: Int.self) { group in
      for number in 1...200 { group.addTask { try await calls.run { .success(number) } } }
      return try await group.reduce(0, +)
    }

    expect(sum, 20_100)
  }

  /// Dispatch runs fewer calls at once than there are lanes, which are taken before a queue is.
  @Test func `no caller is kept waiting by others that call again and again`() async throws {
    let (callers, rounds) = (64, 40)
    let calls = TimeLimitedCalls("test", lanes: 32, timeout: .seconds(30))
    let answered = AnswerCounts(callers)

    let slowest = try await withThrowingTaskGroup(of: Int.self) { group in
      for caller in 0..<callers {
        group.addTask {
          answered.arrive()
          while !answered.areAllThere { await Task.yield() }
          for _ in 0..<rounds {
            try await calls.run {
              usleep(50)
              return .success(())
            }
            answered.add(to: caller)
          }
          return answered.least
        }
      }
      return try await group.next()
    }

    #expect(try #require(slowest) > 0)
  }

  @Test func `a call that was given up before its turn holds nothing any more`() async throws {
    let calls = TimeLimitedCalls("test", lanes: 1, timeout: .seconds(30))
    let end = DispatchSemaphore(value: 0)
    let (begun, begin) = AsyncStream.makeStream(of: Void.self)
    let hanging = Task {
      try await calls.run {
        begin.finish()
        end.wait()
        return .success(1)
      }
    }
    for await _ in begun {}

    let photo = await given(up: calls)

    #expect(photo.isGone)
    end.signal()
    try await expect(hanging.value, 1)
  }

  /// The photo of a call that its caller has stopped waiting for.
  private func given(up calls: TimeLimitedCalls) async -> WeakPhoto {
    let photo = Photo()
    let error = await RequestDeadline.limited(to: .milliseconds(20)) {
      () async -> PictureStorageError? in
      do throws(PictureStorageError) {
        _ = try await calls.run { .success(photo.bytes.count) }
        return nil
      } catch {
        return error
      }
    }
    expect(error, .timedOut)
    return WeakPhoto(photo)
  }

  @Test func `a failure comes home as it was`() async throws {
    let calls = TimeLimitedCalls("test", lanes: 1, timeout: .seconds(30))

    await #expect(throws: PictureStorageError.full) {
      try await calls.run { () -> Result<Int, PictureStorageError> in .failure(.full) }
    }
  }
}

private final class AnswerCounts: Sendable {
  private let counts: Mutex<[Int]>
  private let arrived = Atomic(0)
  private let callers: Int

  init(_ callers: Int) {
    self.callers = callers
    counts = Mutex([Int](repeating: 0, count: callers))
  }

  var areAllThere: Bool { arrived.load(ordering: .relaxed) == callers }

  func arrive() { arrived.add(1, ordering: .relaxed) }

  var least: Int { counts.withLock { $0.min() ?? 0 } }

  func add(to caller: Int) { counts.withLock { $0[caller] += 1 } }
}

private final class Photo: Sendable {
  let bytes: [UInt8] = [1, 2, 3]
}

private struct WeakPhoto {
  private weak var photo: Photo?

  init(_ photo: Photo) { self.photo = photo }

  var isGone: Bool { photo == nil }
}

struct FolderStorageTests {
  @Test func `files are there when they were put, and gone when they were deleted`() async throws {
    let folder = try TemporaryFolder()
    let storage = FolderStorage(at: folder.path)

    try await storage.put([1, 2, 3], at: "ab/abc")
    let found = try await storage.bytes(at: "ab/abc", atMost: 3)
    try await storage.delete("ab/abc")
    try await storage.delete("ab/abc")

    expect(found, [1, 2, 3])
    try await expect(storage.bytes(at: "ab/abc", atMost: 3), nil)
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

  /// A storage whose folder, with one file in it, has become another one's, and an empty one stands in its
  /// place.
  private func movedStorage(
    holding name: String, in folder: borrowing TemporaryFolder
  ) async throws -> (FolderStorage, path: String) {
    let path = folder.path(of: "pictures")
    mkdir(path, 0o700)
    let storage = FolderStorage(at: path)
    try await storage.put([1], at: name)
    rename(path, folder.path(of: "before"))
    mkdir(path, 0o700)
    return (storage, path)
  }

  @Test func `nothing is written below the place where something was mounted`() async throws {
    let folder = try TemporaryFolder()
    let (storage, path) = try await movedStorage(holding: "market-id", in: folder)

    let moved = PictureStorageError.unavailable(
      "the folder is another one than before; is it mounted?")
    await #expect(throws: moved) { try await storage.put([1], at: "ab/abc") }
    await #expect(throws: moved) { try await storage.putFirst([1], at: "ab/abc") }
    await #expect(throws: moved) { try await storage.delete("ab/abc") }

    expect(rmdir(path), 0)
    rename(folder.path(of: "before"), path)
    try await storage.put([1], at: "ab/abc")
  }

  @Test func `what is mounted anew is a market's where it says so`() async throws {
    let folder = try TemporaryFolder()
    let (storage, path) = try await movedStorage(holding: "ab/abc", in: folder)
    expect(close(open(path + "/market-id", O_CREAT | O_WRONLY, 0o600)), 0)

    try await storage.put([1], at: "ab/abc")

    try await expect(storage.bytes(at: "ab/abc", atMost: 1), [1])
  }

  @Test func `of two files of one name the first one stays where that is wished`() async throws {
    let folder = try TemporaryFolder()
    let storage = FolderStorage(at: folder.path)

    let first = try await storage.putFirst([1], at: "ab/abc")
    let second = try await storage.putFirst([2], at: "ab/abc")

    #expect(first && !second)
    try await expect(storage.bytes(at: "ab/abc", atMost: 1), [1])
  }

  @Test(.enabled(if: geteuid() != 0, "whoever may write everywhere is never refused"))
  func `a folder that nobody may write to is told without writing`() async throws {
    let folder = try TemporaryFolder()
    chmod(folder.path, 0o500)
    defer { chmod(folder.path, 0o700) }

    await #expect(throws: PictureStorageError.self) {
      try await FolderStorage(at: folder.path).checkWriting()
    }
  }

  @Test func `a file longer than a picture is not read`() async throws {
    let folder = try TemporaryFolder()
    let storage = FolderStorage(at: folder.path)
    try await storage.put([1, 2, 3, 4], at: "ab/abc")

    await #expect(throws: PictureStorageError.tooLarge) {
      try await storage.bytes(at: "ab/abc", atMost: 3)
    }
  }

  @Test func `drafts that a killed writer left go with a file of their folder, new ones stay`()
    async throws
  {
    let folder = try TemporaryFolder()
    let storage = FolderStorage(at: folder.path)
    for name in ["ab/abc", "ab/abd.1f", "ab/abe.2f", "ab/abf"] {
      try await storage.put([1], at: name)
    }
    for name in ["ab/abd.1f", "ab/abf"] {
      var times = utimbuf(actime: 1_000, modtime: 1_000)
      expect(utime(folder.path(of: name), &times), 0)
    }

    try await storage.delete("ab/abc")

    #expect(access(folder.path(of: "ab/abd.1f"), F_OK) != 0)
    expect(access(folder.path(of: "ab/abe.2f"), F_OK), 0)
    expect(access(folder.path(of: "ab/abf"), F_OK), 0)
  }

  @Test func `files belong to whoever runs the server alone`() async throws {
    let folder = try TemporaryFolder()
    let storage = FolderStorage(at: folder.path)

    try await storage.put([1], at: "ab/abc")

    var status = stat()
    expect(stat(folder.path(of: "ab/abc"), &status), 0)
    expect(status.st_mode & 0o077, 0)
  }
}
