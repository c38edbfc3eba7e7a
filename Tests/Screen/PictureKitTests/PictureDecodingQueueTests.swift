import Expectations
import MarketModel
import Testing

@testable import PictureKit

struct PictureDecodingQueueTests {
  private let queue = PictureDecodingQueue()
  private let box = PixelSize(width: 24, height: 24)

  @Test func `many pictures asked for at once all come`() async throws {
    let bytes = try Fixture.bytes("baseline.jpg")

    let sizes = try await withThrowingTaskGroup(of: PixelSize.self) { group in
      for _ in 0..<20 {
        group.addTask { try await queue.decode(bytes, into: box, .fill).size }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }

    expect(sizes, Array(repeating: box, count: 20))
  }

  @Test func `who waits until it is idle goes on after the pictures`() async throws {
    let bytes = try Fixture.bytes("baseline.jpg")

    let tasks = (0..<6).map { _ in Task.immediate { try await queue.decode(bytes, into: box) } }
    await queue.whenIdle()
    // Too late for all of them.
    for task in tasks { task.cancel() }

    for task in tasks { try await expect(task.value.size.width, box.width) }
  }

  @Test func `a cancelled task gets no picture`() async throws {
    let bytes = try Fixture.bytes("baseline.jpg")

    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await queue.decode(bytes, into: box)
    }

    await #expect(throws: PictureError.cancelled) { try await task.value }
  }

  @Test func `a broken picture does not hold up the next`() async throws {
    let bytes = try Fixture.bytes("plain.png")
    var broken = bytes
    broken[60] ^= 0xFF

    for _ in 0..<4 {
      await #expect(throws: PictureError.undecodable) {
        try await queue.decode(broken, into: box)
      }
    }

    try await expect(queue.decode(bytes, into: box).size.width, 24)
  }
}
