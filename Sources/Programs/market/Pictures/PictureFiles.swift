import DispatchBridge
import Glibc
import Posix

/// Where pictures are put that other programs are to read.
nonisolated protocol PictureFiles: Sendable {
  /// Saves a picture beside other files.
  ///
  /// - Returns: the name that it got.
  func save(_ bytes: [UInt8], as name: PictureFileName) async -> Result<String, SystemError>

  /// Opens a picture in the desktop's viewer.
  ///
  /// - Returns: nil, or why that could not be.
  func open(_ bytes: [UInt8], as name: PictureFileName) async -> SystemError?
}

/// The files of this computer, written on a queue of their own: the current folder may be on a network
/// drive that does not answer.
actor PictureFilesOnDisk: PictureFiles {
  private let executor = QueueExecutor(label: "pictures.files")
  private let folder: String
  private let lent: TemporaryPictures

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// - Parameters:
  ///   - folder: where pictures are saved.
  ///   - lent: where pictures for the viewer go.
  init(savingIn folder: String, lending lent: TemporaryPictures) {
    self.folder = folder
    self.lent = lent
  }

  func save(_ bytes: [UInt8], as name: PictureFileName) -> Result<String, SystemError> {
    PictureFile.save(bytes, as: name, in: folder)
  }

  func open(_ bytes: [UInt8], as name: PictureFileName) -> SystemError? {
    switch lent.lend(bytes, name) {
    case .failure(let error): error
    case .success(let path): DesktopViewer.open(path)
    }
  }
}
