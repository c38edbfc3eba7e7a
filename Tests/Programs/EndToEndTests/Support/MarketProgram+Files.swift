import Glibc
import TestSupport

extension MarketProgram {
  private static let settingsFile = ".config/market/settings.json"

  /// What the file of settings holds.
  func settings() throws -> String {
    try String(
      decoding: FileContent(of: path(of: Self.settingsFile)).bytes, as: UTF8.self)
  }

  func setSettings(_ text: String) throws { try addFile(Self.settingsFile, text) }

  /// Waits until a file in the home folder holds a text; looks again whenever one has been written.
  ///
  /// - Throws: where that takes too long.
  func waitForFile(holding text: String) throws {
    let watch = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
    defer { close(watch) }
    let timeoutMilliseconds: Int32 = 60_000
    while true {
      // Folders may have come; what a watch has already stays as it is.
      for folder in folders() {
        inotify_add_watch(watch, folder, UInt32(IN_CREATE | IN_MOVED_TO | IN_CLOSE_WRITE))
      }
      if isHeld(text) { return }
      var interest = pollfd(fd: watch, events: Int16(POLLIN), revents: 0)
      guard poll(&interest, 1, timeoutMilliseconds) > 0 else {
        throw UnexpectedError(description: "no file holds “\(text)”")
      }
      var events = [UInt8](repeating: 0, count: 1 << 16)
      _ = read(watch, &events, events.count)
    }
  }

  /// Whether a file holds a text; one that goes while it is looked for has a successor.
  private func isHeld(_ text: String) -> Bool {
    let files = (try? files()) ?? []
    return files.contains { $0.bytes.firstRange(of: Array(text.utf8)) != nil }
  }
}
