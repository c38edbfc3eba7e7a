import DispatchBridge
import Glibc
import MarketModel
import MarketStrings
import Posix
import SafeTextKit

/// Files of pictures that other programs are to read, written on a queue of their own: the current
/// folder may be on a network drive that does not answer.
actor PictureFiles {
  private let executor = QueueExecutor(label: "pictures.files")
  private let folder: String
  private let lent: TemporaryPictures

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  init(savingIn folder: String, lending lent: TemporaryPictures) {
    self.folder = folder
    self.lent = lent
  }

  /// Saves a picture beside other files, and says under which name.
  func save(_ bytes: [UInt8], as name: PictureFileName) -> Result<String, SystemError> {
    LocalPictureFile.save(bytes, as: name, in: folder)
  }

  /// Opens a picture in the desktop's viewer; nil where that went well.
  func open(_ bytes: [UInt8], as name: PictureFileName) -> ViewerError? {
    switch lent.lend(bytes, name) {
    case .failure(let error): .notStarted(error)
    case .success(let path): DesktopViewer.open(path)
    }
  }
}

extension SystemError {
  /// A full disk in the program's words, anything else as the system words it.
  nonisolated func text(_ strings: Strings) -> SafeText {
    isDiskFull ? strings[.errorStoreDiskFull] : SafeText(description)
  }
}

/// Writer of pictures beside other files, none of which it touches.
nonisolated enum LocalPictureFile {
  private static let maxAttempts = 1_000

  /// Saves a file in a folder under the first name that is free, and says which.
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
        // What a server of files or a limit refuses shows no later than here.
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

/// Name of a saved picture: a base name alone, after its product.
nonisolated struct PictureFileName: Hashable {
  private let base: String
  private let suffix: String

  /// Bytes of the name, which leave room for a number and stay below the limit of file systems.
  private static let longest = 120

  /// Takes foreign text, of which what could lead out of a folder, hide the file or pass for an
  /// option is left out, and the format that the picture's bytes tell.
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

  /// The name, or the same with a number where that one is taken; counted from 1.
  func attempt(_ number: Int) -> String {
    number == 1 ? base + suffix : "\(base)-\(number)\(suffix)"
  }
}
