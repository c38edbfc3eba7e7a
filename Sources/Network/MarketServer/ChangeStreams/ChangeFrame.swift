import MarketAPI
import MarketModel

/// Batch of changes as it is sent, encoded once for all who watch.
final class ChangeFrame: Sendable {
  let batch: ChangeBatch
  /// The events as one chunk (RFC 9112, section 7.1), and where the events themselves are in it.
  private typealias Content = (chunk: [UInt8], content: Range<Int>)
  private let whole: Content
  /// The same with the places that older programs know.
  private let ofProducts: Content

  init(_ batch: ChangeBatch) {
    self.batch = batch
    whole = Self.chunk(ChangeCoding.events(of: batch))
    ofProducts = Self.chunk(ChangeCoding.events(of: batch, hasQuestionPlaces: false))
  }

  /// Number of events that a watcher is told.
  var eventCount: Int { batch.changes.count + (batch.isReset ? 1 : 0) }

  /// Bytes that one watcher takes.
  var count: Int { whole.chunk.count }

  /// Whether there is anything to tell.
  var isEmpty: Bool { whole.content.isEmpty }

  /// What a client is sent, in chunks or as it is.
  ///
  /// Only clients that ask for questions know places in their log.
  func bytes(isChunked: Bool, hasQuestions: Bool) -> ArraySlice<UInt8> {
    let (chunk, content) = hasQuestions ? whole : ofProducts
    return isChunked ? chunk[...] : chunk[content]
  }

  /// Bytes as one chunk, and where they are in it; nothing makes none, for that would be the last.
  static func chunk(_ bytes: [UInt8]) -> (chunk: [UInt8], content: Range<Int>) {
    guard !bytes.isEmpty else { return ([], 0..<0) }
    var chunk = Array((String(bytes.count, radix: 16) + "\r\n").utf8)
    let start = chunk.count
    chunk.reserveCapacity(start + bytes.count + 2)
    chunk += bytes
    chunk += [0x0D, 0x0A]
    return (chunk, start..<(start + bytes.count))
  }

  /// The chunk that ends all chunks.
  static let lastChunk = Array("0\r\n\r\n".utf8)
}
