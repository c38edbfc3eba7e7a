import DispatchBridge
import Glibc
import MarketViewModels
import Posix

/// File of the session state in the state folder, readable by its owner only.
///
/// It is read once, before the first frame, and written as a whole: the last run to end wins. An
/// unreadable file counts as none.
actor SessionStateFile: SessionStateStore {
  private let executor = QueueExecutor(label: "place")
  private let folder: String

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  private static let name = "place.json"
  /// Maximum bytes of the file; a larger one is neither written nor read.
  private static let maxFileSize = 1 << 16

  /// Creates the store in the state folder, which is created on first use.
  init(folder: String) {
    self.folder = folder
  }

  /// Stored state; nil if there is none, or it is damaged or of another version.
  nonisolated var state: SessionState? {
    (try? PrivateFile.read(path, limit: Self.maxFileSize)).flatMap { SessionState(json: $0) }
  }

  func keep(_ state: SessionState) {
    let bytes = state.json
    guard bytes.count <= Self.maxFileSize, (try? Folder.make(folder)) != nil else { return }
    // A failure to save, as on a full disk, does not interrupt the user.
    try? PrivateFile.write(bytes, to: path)
  }

  /// Deletes the file.
  /// - Throws: the error of unlink(2).
  nonisolated func clear() throws(SystemError) {
    PrivateFile.deleteDrafts(of: path)
    guard unlink(path) == 0 || errno == ENOENT else { throw .last }
  }

  private nonisolated var path: String { folder + "/" + Self.name }
}
