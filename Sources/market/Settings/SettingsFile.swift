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
    return PrivateFile.write(Array(text.utf8), to: path)
  }
}
