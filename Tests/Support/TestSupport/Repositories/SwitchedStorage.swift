import MarketModel
import Synchronization

/// A storage for pictures that fails as a test says, and deletes when it says so.
package final class SwitchedStorage: PictureStorage {
  /// Fault of a storage.
  package enum Fault: Hashable, Sendable {
    case none
    /// Nothing works.
    case lost
    /// Files are written, and who wrote them is told that they are not.
    case losesAnswers
  }

  private let storage: any PictureStorage
  private let deletions: Gate<String, Void>?
  private let state = Mutex(Fault.none)

  /// Each deletion passes the gate.
  package init(_ storage: any PictureStorage, deletions: Gate<String, Void>? = nil) {
    self.storage = storage
    self.deletions = deletions
  }

  package var fault: Fault {
    get { state.withLock { $0 } }
    set { state.withLock { $0 = newValue } }
  }

  package func put(_ bytes: [UInt8], at name: String) async throws(PictureStorageError) {
    if fault == .lost { throw Self.gone }
    try await storage.put(bytes, at: name)
    if fault == .losesAnswers { throw Self.gone }
  }

  package func putFirst(
    _ bytes: [UInt8], at name: String
  ) async throws(PictureStorageError) -> Bool {
    if fault == .lost { throw Self.gone }
    let isFirst = try await storage.putFirst(bytes, at: name)
    if fault == .losesAnswers { throw Self.gone }
    return isFirst
  }

  package func checkWriting() async throws(PictureStorageError) {
    if fault == .lost { throw Self.gone }
    try await storage.checkWriting()
  }

  package func bytes(
    at name: String, atMost limit: Int
  ) async throws(PictureStorageError) -> [UInt8]? {
    if fault == .lost { throw Self.gone }
    return try await storage.bytes(at: name, atMost: limit)
  }

  package func delete(_ name: String) async throws(PictureStorageError) {
    if fault == .lost { throw Self.gone }
    do {
      try await deletions?.pass(name)
    } catch {
      throw .cancelled
    }
    try await storage.delete(name)
  }

  private static let gone = PictureStorageError.unavailable("the storage is gone")
}
