import MarketModel
import SQLiteKit
import StoreCore

/// Copy of a market's file that is to have all its pictures inside.
struct CompleteBackup {
  /// Pictures that are looked up at a time.
  private static let batchSize = 64

  private let path: String

  init(at path: String) {
    self.path = path
  }

  /// Takes the files of pictures outside into the copy, which the market goes on to have there.
  ///
  /// Throws `.store` where there are some and nobody said where they are.
  func complete(from outside: ExternalPictures?) async throws(RepositoryError) {
    let copy = StoreConnection("copy", path: path, options: SQLiteConnection.Options())
    do throws(RepositoryError) {
      try await takePictures(into: copy, from: outside)
      await copy.close()
    } catch {
      await copy.close()
      throw error
    }
  }

  private func takePictures(
    into copy: StoreConnection, from outside: ExternalPictures?
  ) async throws(RepositoryError) {
    while true {
      let keys = try await use(copy) { pictures throws(StoreError) in
        try pictures.pictures(after: 0, areOutside: true, atMost: Self.batchSize)
      }
      guard !keys.isEmpty else { return }
      for key in keys {
        let file = try await use(copy) { pictures throws(StoreError) in
          try pictures.file(of: key.hash, .original)
        }
        let original = try await file?.bytes(of: key.hash, .original, in: outside) ?? []
        let thumbnail = try await file?.bytes(of: key.hash, .thumbnail, in: outside) ?? []
        try await use(copy) { pictures throws(StoreError) in
          _ = try pictures.moveIn(key.hash, original: original, thumbnail: thumbnail)
          // The files outside are the market's, never the copy's.
          try pictures.forgetLeases()
        }
      }
    }
  }

  private func use<Answer: Sendable>(
    _ copy: StoreConnection,
    _ body: @escaping @Sendable (PictureTable) throws(StoreError) -> Answer
  ) async throws(RepositoryError) -> Answer {
    do {
      return try await copy.use { connection throws(StoreError) in
        try connection.writing(keeping: { _ in true }) { () throws(StoreError) in
          try body(connection.pictures)
        }
      }
    } catch {
      throw RepositoryError(error)
    }
  }
}
