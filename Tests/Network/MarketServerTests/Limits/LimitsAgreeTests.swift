import Expectations
import MarketModel
import Testing

@testable import MarketAPI
@testable import MarketClient
@testable import MarketServer
@testable import MarketTransfer
@testable import PostgresStore

/// The most that a writer writes, beside the most that its reader accepts.
struct LimitsAgreeTests {
  struct Pair: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let written: Int
    let accepted: Int

    init(_ name: String, _ written: Int, _ accepted: Int) {
      (testDescription, self.written, self.accepted) = (name, written, accepted)
    }
  }

  /// A place of a database in which as many transactions are open as a place may tell.
  private static let longestPlace: ChangeCursor = {
    let open = (1...Int64(PostgresConnection.maxOpen)).map { $0 }
    let seen = SeenTransactions(newest: .max, nonce: .max, open: open)
    return DatabaseCursor(seen: seen, partial: DatabaseCursor.PartialBatch(end: seen, last: .max))
      .cursor
  }()

  /// Bytes of a product's texts at their limits.
  private static let texts = [TextLimit.productName, .description, .place, .contact].reduce(0) {
    $0 + $1.bytes
  }
  private static let pictures = StorageRules.pictureCount.upperBound * StorageRules.pictureBytes
  /// Room for keys, numbers and the other headers of a request.
  private static let rest = 1 << 10

  static let pairs = [
    Pair("place of a database, place", longestPlace.rawValue.utf8.count, ChangeCursor.maxBytes),
    Pair("request with a place, head", ChangeCursor.maxBytes + rest, ServerLimits().header),
    Pair("event with a place, line", ChangeCursor.maxBytes + rest, EventStreamParser.lineLimit),
    Pair("event, event", ChangeCursor.maxBytes + rest, EventStreamParser.eventLimit),
    Pair("frame, changes without a place", ChangeBroadcaster.batchLimit, StreamSession.changeLimit),
    Pair(
      "frame, bytes of a watcher", ChangeBroadcaster.batchLimit * 256, ServerLimits().watcherBytes),
    Pair("page, response", PageBound.bytes, TransferLimits.json.bodyBytes),
    Pair("page, JSON values", PageRequest.sizes.upperBound * 100, JSONParser.maximumValues),
    Pair("details, response", 2 * texts + rest, TransferLimits.json.bodyBytes),
    Pair("form, body", texts + pictures + 64 * rest, ServerLimits().body),
    Pair(
      "JSON with pictures in Base64, body", texts + pictures * 4 / 3 + 64 * rest,
      ServerLimits().body),
    Pair("body, bodies of an address", ServerLimits().body, ServerLimits().bodiesOfAddress),
    Pair("bodies of an address, bodies", ServerLimits().bodiesOfAddress, ServerLimits().allBodies),
    Pair(
      "form, parts", 2 * ProductField.allCases.count + StorageRules.pictureCount.upperBound,
      MultipartParser.maximumParts),
    Pair(
      "stored picture, response", StorageRules.storedPictureBytes, TransferLimits.picture.bodyBytes),
    Pair("hash of libsodium, stored hash", 127, StorageRules.passwordHashBytes),
    Pair(
      "deletion token, deletion key",
      2 * (DeletionTokens.contentLength + DeletionTokens.codeLength),
      ProductsDialect.deletionKeyBytes),
    Pair("exported record, record", 2 * texts + rest, RecordReader.maxLength),
    // Each byte of a question escaped as two, and 2 KB for its other members and its asker.
    Pair(
      "exported product with its questions, line",
      2 * QuestionRules.bytesPerProduct + 2_048 * QuestionRules.perProduct
        + 12 * TextLimit.description.scalars + texts, LineReader.maxLineLength),
    Pair(
      "exported product with its questions, JSON values", 32 * QuestionRules.perProduct + 100,
      JSONParser.maximumValues),
    Pair(
      "longest description with its quotes doubled, quoted text",
      TextLimit.description.bytes + TextLimit.description.characters.upperBound + 2,
      RecordReader.maxQuoted),
    // Each scalar escaped as two units of UTF-16.
    Pair(
      "exported product without questions, line", 12 * TextLimit.description.scalars + texts,
      LineReader.maxLineLength),
  ]

  @Test(arguments: pairs)
  func `what is written is accepted where it is read`(pair: Pair) {
    #expect(pair.written <= pair.accepted)
  }

  @Test func `the longest place is read by request and database`() throws {
    let request = ChangesRequest(.stream, after: Self.longestPlace)

    try expect(ChangesRequest(reading: request.message), request)
    expect(DatabaseCursor(Self.longestPlace)?.cursor, Self.longestPlace)
  }
}
