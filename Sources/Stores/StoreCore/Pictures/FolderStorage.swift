import Glibc
import MarketModel
import Posix

/// Pictures in a folder, which may be on a file system that several servers share.
///
/// The folder itself is there before: one that is missing is a file system that was not mounted, and
/// nothing is written in its place. Files belong to whoever runs the servers alone.
package struct FolderStorage: PictureStorage {
  /// Files that are written, read or deleted at a time.
  private static let laneCount = 32

  private let path: String
  private let calls: PatientCalls

  /// Each call may take as long as `patience`.
  package init(at path: String, patience: Duration = .seconds(4)) {
    self.path = path
    calls = PatientCalls("market.pictures", lanes: Self.laneCount, patience: patience)
  }

  package func put(_ bytes: [UInt8], at name: String) async throws(PictureStorageError) {
    try await run(at: name) { place throws(SystemError) in
      let folder = Folder.containing(place)
      if mkdir(folder, 0o700) == 0 {
        Folder.sync(path)
      } else if errno != EEXIST {
        throw .last
      }
      try PrivateFile.write(bytes, to: place)
    }
  }

  package func bytes(
    at name: String, atMost limit: Int
  ) async throws(PictureStorageError) -> [UInt8]? {
    try await run(at: name) { place throws(SystemError) -> [UInt8]? in
      do throws(SystemError) {
        return try PrivateFile.read(place, limit: limit)
      } catch {
        guard error.number == ENOENT else { throw error }
        // Without the folder nobody knows what is in it.
        guard Folder.isFolder(path) else { throw error }
        return nil
      }
    }
  }

  package func delete(_ name: String) async throws(PictureStorageError) {
    try await run(at: name) { place throws(SystemError) in
      guard unlink(place) != 0 else { return }
      let error = SystemError.last
      guard error.number == ENOENT, Folder.isFolder(path) else { throw error }
    }
  }

  private func run<Answer: Sendable>(
    at name: String, _ body: @escaping @Sendable (String) throws(SystemError) -> Answer
  ) async throws(PictureStorageError) -> Answer {
    let place = path + "/" + name
    return try await calls.run {
      do throws(SystemError) {
        return .success(try body(place))
      } catch {
        return .failure(PictureStorageError(error))
      }
    }
  }
}

extension PictureStorageError {
  fileprivate init(_ error: SystemError) {
    self =
      if error.isDiskFull {
        .full
      } else if error.number == EFBIG {
        .tooLarge
      } else {
        .unavailable(error.description)
      }
  }
}
