import Expectations
import Glibc
import Testing

@testable import TerminalKit

/// A writer before a pipe, which takes no more than 64 KB until a reader takes them.
@MainActor struct TerminalWriterTests {
  /// A pipe whose writing end does not block.
  private final class Line {
    let reader: Int32
    let writer: Int32

    init() throws {
      var ends: [Int32] = [-1, -1]
      try #require(pipe(&ends) == 0)
      (reader, writer) = (ends[0], ends[1])
      _ = fcntl(writer, F_SETFL, O_NONBLOCK)
    }

    deinit {
      close(reader)
      close(writer)
    }

    /// Takes this many bytes, and waits for them.
    func read(_ count: Int) -> [UInt8] {
      var bytes: [UInt8] = []
      var piece = [UInt8](repeating: 0, count: 1 << 16)
      while bytes.count < count, case let read = Glibc.read(reader, &piece, piece.count), read > 0 {
        bytes += piece[..<read]
      }
      return bytes
    }
  }

  /// Begins to write a frame.
  ///
  /// - Returns: what lasts until its end is told.
  private func write(_ bytes: [UInt8], by writer: TerminalWriter) -> Task<Void, Never> {
    Task.immediate {
      await withCheckedContinuation { continuation in
        writer.write(bytes) { _ in continuation.resume() }
      }
    }
  }

  private static let large = [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 20)

  @Test func `a frame is written while nobody waits, and its end is told`() async throws {
    let line = try Line()
    let writer = TerminalWriter(descriptor: line.writer)

    let end = write(Self.large, by: writer)
    #expect(writer.isBusy)
    let bytes = line.read(Self.large.count)
    await end.value

    #expect(bytes == Self.large && !writer.isBusy)
  }

  @Test func `a small frame is written at once`() async throws {
    let line = try Line()
    let writer = TerminalWriter(descriptor: line.writer)

    let end = write([1, 2, 3], by: writer)

    #expect(!writer.isBusy)
    await end.value
    expect(line.read(3), [1, 2, 3])
  }

  @Test func `a frame that is not taken is cut off, and the next one follows`() async throws {
    let line = try Line()
    let writer = TerminalWriter(descriptor: line.writer)
    writer.write(Self.large) { _ in Issue.record("a frame that was cut off has ended") }

    let isCutOff = writer.end(timeout: 10)
    let end = write([1, 2, 3], by: writer)
    var bytes: [UInt8] = []
    while bytes.last != 3 { bytes += line.read(1) }
    await end.value

    #expect(isCutOff)
    #expect(bytes.count < Self.large.count && bytes.suffix(3) == [1, 2, 3])
  }

  @Test func `what has been taken is not cut off`() async throws {
    let line = try Line()
    let writer = TerminalWriter(descriptor: line.writer)

    writer.write([1, 2, 3]) { _ in }

    #expect(!writer.end(timeout: 10_000))
    #expect(line.read(3) == [1, 2, 3] && !writer.isBusy)
  }

  @Test func `a lost terminal takes anything`() async {
    let writer = TerminalWriter(descriptor: -1)

    await write(Self.large, by: writer).value

    #expect(!writer.isBusy)
  }
}
