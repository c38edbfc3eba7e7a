import Glibc
import MarketStrings
import Posix
import SafeText

extension SystemError {
  /// A full disk in the program's words, anything else as the system words it.
  nonisolated func text(_ strings: Strings) -> SafeText {
    isDiskFull ? strings[.errorStoreDiskFull] : SafeText(description)
  }
}

/// Writes pictures beside other files without touching any of them.
nonisolated enum PictureFile {
  private static let mostAttempts = 1_000

  /// Saves under the first name that is free.
  ///
  /// - Parameters:
  ///   - bytes: the file.
  ///   - name: what it is called.
  ///   - folder: where it goes.
  ///   - mode: who may read it.
  /// - Returns: the name that it got.
  static func save(
    _ bytes: [UInt8], as name: PictureFileName, in folder: String, mode: mode_t = 0o644
  ) -> Result<String, SystemError> {
    for number in 1...mostAttempts {
      let attempt = name.attempt(number)
      let path = folder + "/" + attempt
      let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode)
      if file < 0, errno == EEXIST { continue }
      guard file >= 0 else { return .failure(.last) }
      defer { close(file) }
      do throws(SystemError) {
        try Descriptor.writeAll(bytes, to: file)
      } catch {
        unlink(path)
        return .failure(error)
      }
      return .success(attempt)
    }
    return .failure(SystemError(number: EEXIST))
  }
}
