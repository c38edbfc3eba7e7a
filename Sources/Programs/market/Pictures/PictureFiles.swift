import DispatchBridge
import Glibc
import MarketModel
import MarketStrings
import Posix
import SafeTextKit

/// Writer of picture files on a queue of its own, since the current folder may be on a network drive
/// that does not answer.
actor PictureFiles {
  private let executor = QueueExecutor(label: "pictures.files")
  private let folder: String
  private let lent: TemporaryPictures

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  init(savingIn folder: String, lending lent: TemporaryPictures) {
    self.folder = folder
    self.lent = lent
  }

  /// Saves a picture under a free name, which it returns.
  func save(_ bytes: [UInt8], as name: PictureFileName) -> Result<String, SystemError> {
    LocalPictureFile.save(bytes, as: name, in: folder)
  }

  /// Opens a picture in the desktop's viewer; nil on success.
  func open(_ bytes: [UInt8], as name: PictureFileName) -> ViewerError? {
    switch lent.lend(bytes, name) {
    case .failure(let error): .notStarted(error)
    case .success(let path): DesktopViewer.open(path)
    }
  }
}

extension SystemError {
  /// Text of the error: our own for a full disk, else the system's.
  nonisolated func text(_ strings: Strings) -> SafeText {
    isDiskFull ? strings[.errorStoreDiskFull] : SafeText(description)
  }
}

/// Writer of pictures that never overwrites existing files.
nonisolated enum LocalPictureFile {
  /// Maximum number of names that are tried; then saving fails with `EEXIST`.
  private static let maxAttempts = 1_000

  /// Saves a file under the first free name, which it returns.
  static func save(
    _ bytes: [UInt8], as name: PictureFileName, in folder: String, mode: mode_t = 0o644
  ) -> Result<String, SystemError> {
    for number in 1...maxAttempts {
      let attempt = name.attempt(number)
      let path = folder + "/" + attempt
      let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode)
      if file < 0, errno == EEXIST { continue }
      guard file >= 0 else { return .failure(.last) }
      defer { close(file) }
      do throws(SystemError) {
        try FileDescriptorIO.writeAll(bytes, to: file)
        // Errors of network drives and quotas show here at the latest.
        try FileDescriptorIO.sync(file)
      } catch {
        unlink(path)
        return .failure(error)
      }
      return .success(attempt)
    }
    return .failure(SystemError(number: EEXIST))
  }
}

/// File name of a saved picture, made of the product's name.
nonisolated struct PictureFileName: Hashable {
  private let base: String
  private let suffix: String

  /// Maximum bytes of the name, which leaves room for a number below the limit of file systems.
  private static let longest = 120

  /// Creates a name from untrusted text: all but letters and digits becomes `-`, so that it cannot
  /// leave the folder, hide the file or look like an option.
  init(_ text: String, format: PictureFormat) {
    var base = ""
    for character in text {
      let isPlain = character.isLetter || character.isNumber
      let next = isPlain ? character : "-"
      if next == "-", base.isEmpty || base.last == "-" { continue }
      guard base.utf8.count + String(next).utf8.count <= Self.longest else { break }
      base.append(next)
    }
    while base.last == "-" { base.removeLast() }
    self.base = base.isEmpty ? "picture" : base
    suffix =
      switch format {
      case .jpeg: ".jpg"
      case .png: ".png"
      case .webp: ".webp"
      case .gif: ".gif"
      }
  }

  /// Name for an attempt, from 1; later ones contain the number.
  func attempt(_ number: Int) -> String {
    number == 1 ? base + suffix : "\(base)-\(number)\(suffix)"
  }
}
