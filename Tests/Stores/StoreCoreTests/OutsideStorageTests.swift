import Expectations
import Glibc
import MarketModel
import TestSupport
import Testing

@testable import StoreCore

/// Rules of external storage, with concurrent writers and missing mounts.
struct OutsideStorageTests {
  private static let hash = ContentHash.of([1])

  private func picture(thumbnail: [UInt8]) -> StoredPicture {
    StoredPicture(hash: Self.hash, files: .inside(original: [1], thumbnail: thumbnail))
  }

  @Test func `of two thumbnails of one new picture the first one counts for both`() async throws {
    let folder = try TemporaryFolder()
    let servers = [1, 2].map { _ in ExternalPictures(FolderStorage(at: folder.path)) }

    let first = try await servers[0].put([picture(thumbnail: [2])])
    let second = try await servers[1].put([picture(thumbnail: [3])])

    let kept = StoredPicture(
      hash: Self.hash, files: .outside(thumbnailHash: ContentHash.of([2])))
    #expect(first == [kept] && second == [kept])
    try await expect(
      servers[1].bytes(
        of: Self.hash, .thumbnail, thumbnailHash: ContentHash.of([2])), [2])
  }

  @Test func `an empty folder is no market's that has pictures outside`() async throws {
    let folder = try TemporaryFolder()
    let pictures = ExternalPictures(FolderStorage(at: folder.path))

    let error = await #expect(throws: RepositoryError.self) {
      try await pictures.checkOwnership { () throws(RepositoryError) in [Self.hash] }
    }
    guard case .store(.picturesUnavailable)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    _ = try await pictures.put([picture(thumbnail: [2])])
    var questions = 0
    for _ in 1...2 {
      try await pictures.checkOwnership { () throws(RepositoryError) in
        questions += 1
        return [Self.hash]
      }
    }
    expect(questions, 1)
  }

  @Test func `a market without pictures outside begins with an empty folder`() async throws {
    let folder = try TemporaryFolder()

    try await ExternalPictures(FolderStorage(at: folder.path)).checkOwnership {
      () throws(RepositoryError) in
      []
    }
  }
}
