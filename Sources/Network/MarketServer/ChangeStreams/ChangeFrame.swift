import MarketAPI
import MarketModel

/// Batch of changes as sent, encoded once for all watchers.
final class ChangeFrame: Sendable {
  let batch: ChangeBatch
  /// Events as one chunk (RFC 9112, section 7.1), and the range of the events in it.
  private let encoded: (chunk: [UInt8], content: Range<Int>)

  init(_ batch: ChangeBatch) {
    self.batch = batch
    encoded = Self.chunk(ChangeCoding.events(of: batch))
  }

  /// Number of events sent to a watcher.
  var eventCount: Int { batch.changes.count + (batch.isReset ? 1 : 0) }

  /// Bytes sent to a watcher.
  var count: Int { encoded.chunk.count }

  /// Whether the frame has no events.
  var isEmpty: Bool { encoded.content.isEmpty }

  /// Returns the bytes to send, chunked or plain.
  func bytes(isChunked: Bool) -> ArraySlice<UInt8> {
    isChunked ? encoded.chunk[...] : encoded.chunk[encoded.content]
  }

  /// Encodes bytes as one chunk, with their range in it.
  ///
  /// No bytes make no chunk, since an empty one would be the last.
  static func chunk(_ bytes: [UInt8]) -> (chunk: [UInt8], content: Range<Int>) {
    guard !bytes.isEmpty else { return ([], 0..<0) }
    var chunk = Array((String(bytes.count, radix: 16) + "\r\n").utf8)
    let start = chunk.count
    chunk.reserveCapacity(start + bytes.count + 2)
    chunk += bytes
    chunk += [0x0D, 0x0A]
    return (chunk, start..<(start + bytes.count))
  }

  /// Last chunk of a body.
  static let lastChunk = Array("0\r\n\r\n".utf8)
}
