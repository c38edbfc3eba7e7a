import Glibc

/// The settings file on disk.
struct SettingsFile {
  let path: String

  private static let longest = 1 << 20

  /// What the file says; no file says nothing.
  func read() -> Settings {
    text().map { Settings($0) } ?? Settings()
  }

  /// Adds a server under a name.
  ///
  /// - Returns: whether the file could be written.
  func remember(_ name: String, _ address: String) -> Bool {
    guard let text = Settings.remembering(name, address, in: text() ?? "") else { return false }
    return write(text)
  }

  private func text() -> String? {
    guard let file = fopen(path, "re") else { return nil }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: Self.longest)
    let count = fread(&bytes, 1, bytes.count, file)
    return String(decoding: bytes[..<count], as: UTF8.self)
  }

  /// Writes beside the file and renames, so that it is never half there.
  private func write(_ text: String) -> Bool {
    let folder = path.split(separator: "/").dropLast().joined(separator: "/")
    guard Locations.makeFolder("/" + folder) == nil else { return false }
    let draft = path + ".new"
    let descriptor = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { return false }
    let bytes = Array(text.utf8)
    let isWritten = Glibc.write(descriptor, bytes, bytes.count) == bytes.count
    let isSafe = fsync(descriptor) == 0 && close(descriptor) == 0
    return isWritten && isSafe && rename(draft, path) == 0
  }
}
