import DispatchBridge
import Glibc
import MarketViewModels
import Posix

/// The place in which the program was left, in a file of the state folder that only its owner reads.
///
/// A run reads it once, before its first frame, and writes it as a whole: the program that ends last
/// leaves its own place. What cannot be read is no place.
actor SessionStateFile: SessionStateStore {
  private let executor = QueueExecutor(label: "place")
  private let folder: String

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  private static let name = "place.json"
  private static let maxFileSize = 1 << 16

  /// Takes the state folder, which need not exist yet.
  init(folder: String) {
    self.folder = folder
  }

  /// What was kept; nil where that is nothing, damaged, or of a later version.
  nonisolated var state: SessionState? {
    (try? PrivateFile.read(path, limit: Self.maxFileSize)).flatMap { SessionState(json: $0) }
  }

  func keep(_ state: SessionState) {
    let bytes = state.json
    guard bytes.count <= Self.maxFileSize, (try? Folder.make(folder)) != nil else { return }
    // A place that cannot be kept, as on a full disk, is no reason to interrupt anybody.
    try? PrivateFile.write(bytes, to: path)
  }

  /// Forgets the place.
  nonisolated func clear() throws(SystemError) {
    PrivateFile.deleteDrafts(of: path)
    guard unlink(path) == 0 || errno == ENOENT else { throw .last }
  }

  private nonisolated var path: String { folder + "/" + Self.name }
}
