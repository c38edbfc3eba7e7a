import Expectations
import Glibc
import MarketAPI
import MarketModel
import MarketServer
import MarketStore
import PostgresStore
import PostgresTestSupport
import StoreCore
import TestSupport
import Testing

/// Two servers, one on SQLite and one on PostgreSQL, that are asked the same.
struct MarketPair: ~Copyable {
  static let base = "https://market.example"

  let products = ProductsDialect(variant: .y2023)
  let items = ItemsDialect()
  private let responders: [MarketResponder]
  private let storages: [SwitchedStorage]
  private let folder: TemporaryFolder

  /// - Parameter hasOutsidePictures: whether each has its pictures in a folder of its own.
  /// - Throws: what the databases answered.
  init(hasOutsidePictures: Bool = false) async throws {
    let now: @Sendable () -> Int64 = { 1_750_000_000 }
    let folder = try TemporaryFolder()
    let storages = (0..<2).map { number in
      mkdir(folder.path(of: "\(number)"), 0o700)
      return SwitchedStorage(FolderStorage(at: folder.path(of: "\(number)")))
    }
    var file = SQLiteStore.Options(createsFile: true, passwordCost: .least, now: now)
    var database = PostgresMarketStore.Options.forTests
    database.now = now
    // So that it counts what filters leave of all finds of these tests, as a file does.
    database.searchBounds.looked = 20_000
    if hasOutsidePictures {
      (file.outside, database.outside) = (
        ExternalPictures(storages[0]), ExternalPictures(storages[1])
      )
    }
    let responders = [
      MarketResponder(
        for: try await SQLiteStore.open(
          at: folder.path(of: "market.sqlite"), pictureProcessor: PassThroughPictureProcessor(),
          options: file)),
      MarketResponder(for: try await TestCluster.emptyStore(database)),
    ]
    (self.responders, self.storages) = (responders, storages)
    self.folder = folder
  }

  /// Takes the pictures of both away.
  func loseStorages() {
    for storage in storages { storage.fault = .lost }
  }

  /// Asks both for a page, and expects one answer.
  @discardableResult
  func get(_ target: String, sourceLocation: SourceLocation = #_sourceLocation) async
    -> HTTPResponse
  {
    await both(.get(target), sourceLocation)
  }

  /// Sends both an operation as our client writes it, and expects one answer.
  @discardableResult
  func send(
    _ operation: MarketOperation, in dialect: any MarketDialect,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> HTTPResponse {
    await both(try .sending(operation, in: dialect), sourceLocation)
  }

  /// Deletes in two steps; each server signs keys of its own for the second.
  func deleteBySteps(
    _ id: Product.ID, by author: Author, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    var answers: [HTTPResponse] = []
    for responder in responders {
      let step = MarketOperation.requestDeletion(id, Password("secret"), author)
      let message = await answer(of: responder, to: try .sending(step))
      let target = try products.deletionTarget(from: message, for: step)
      let second = MarketOperation.confirmDeletion(
        token: try #require(target.segments.last), of: nil, author)
      answers.append(await answer(of: responder, to: try .sending(second)))
    }
    expect(answers[0].status, .ok, sourceLocation: sourceLocation)
    expect(answers[0], answers[1], sourceLocation: sourceLocation)
  }

  /// An answer without the position of a change, which a file has none of.
  private func answer(of responder: MarketResponder, to request: ServerRequest) async
    -> HTTPResponse
  {
    var answer = await responder.response(to: request).message
    answer.headers[HeaderName.marketPosition] = nil
    return answer
  }

  private func both(
    _ request: ServerRequest, _ sourceLocation: SourceLocation
  ) async -> HTTPResponse {
    let file = await answer(of: responders[0], to: request)
    let database = await answer(of: responders[1], to: request)
    expect(
      database, file, "\(request.message.target.text): \(database.text)",
      sourceLocation: sourceLocation)
    return file
  }
}
