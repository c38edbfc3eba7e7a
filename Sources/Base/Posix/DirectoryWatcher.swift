package import Dispatch
import Glibc

/// Watcher of some files in a folder (inotify(7)): reports writes, creations, moves and deletions by
/// any program.
///
/// Reads are not reported, and changes that other computers make on a network file system are not
/// seen. It uses no timer while nothing happens.
///
/// Unchecked: mutable state is used only on `queue`.
package final class DirectoryWatcher: @unchecked Sendable {
  /// Events of files and of the folder itself.
  package static let mask =
    UInt32(IN_MODIFY) | UInt32(IN_CREATE) | UInt32(IN_MOVED_TO) | UInt32(IN_MOVED_FROM)
    | UInt32(IN_DELETE) | UInt32(IN_DELETE_SELF) | UInt32(IN_MOVE_SELF)
  /// Events without a name concern the folder; these report that it, or its file system, is gone.
  private static let ends =
    UInt32(IN_DELETE_SELF) | UInt32(IN_MOVE_SELF) | UInt32(IN_UNMOUNT) | UInt32(IN_IGNORED)

  /// Signal after every change, or possible change; unread ones are merged, and it finishes with the
  /// folder.
  package let signals: AsyncStream<Void>
  private let signal: AsyncStream<Void>.Continuation
  private let names: Set<String>
  /// Pauses after a change, each followed by another signal.
  private let echoes: [DispatchTimeInterval]
  private let descriptor: Int32
  private let queue = DispatchQueue(label: "market.folder")
  private let source: any DispatchSourceRead
  private var echo: DispatchWorkItem?

  /// Watches the files of these names in an existing folder.
  ///
  /// - Throws: the error of inotify_init1(2), such as `EMFILE`, or inotify_add_watch(2), such as
  ///   `ENOENT`, `ENOTDIR` or `ENOSPC`.
  package init(
    _ folder: String, names: Set<String>, echoes: [DispatchTimeInterval] = []
  ) throws(SystemError) {
    descriptor = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
    guard descriptor >= 0 else { throw .last }
    guard inotify_add_watch(descriptor, folder, Self.mask | UInt32(IN_ONLYDIR)) >= 0 else {
      let error = SystemError.last
      close(descriptor)
      throw error
    }
    self.names = names
    self.echoes = echoes
    (signals, signal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
    source.setEventHandler { [weak self] in self?.didWake() }
    source.setCancelHandler { [descriptor] in close(descriptor) }
    source.activate()
  }

  deinit {
    echo?.cancel()
    signal.finish()
    source.cancel()
  }

  private func didWake() {
    var happened = false
    var ended = false
    var buffer = [UInt8](repeating: 0, count: 1 << 14)
    while case let count = read(descriptor, &buffer, buffer.count), count > 0 {
      for event in Self.events(in: buffer[..<count]) {
        if event.mask & UInt32(IN_Q_OVERFLOW) != 0 || names.contains(event.name) { happened = true }
        if event.name.isEmpty, event.mask & Self.ends != 0 { ended = true }
      }
    }
    if happened { report(echoing: echoes[...]) }
    if ended { signal.finish() }
  }

  /// Signals now and, unless another change happens first, after each pause.
  private func report(echoing pauses: ArraySlice<DispatchTimeInterval>) {
    signal.yield()
    echo?.cancel()
    echo = nil
    guard let pause = pauses.first else { return }
    let next = DispatchWorkItem { [weak self] in self?.report(echoing: pauses.dropFirst()) }
    echo = next
    queue.asyncAfter(deadline: .now() + pause, execute: next)
  }

  private static func events(in bytes: ArraySlice<UInt8>) -> [(mask: UInt32, name: String)] {
    let headerSize = MemoryLayout<inotify_event>.size
    var events: [(mask: UInt32, name: String)] = []
    bytes.withUnsafeBytes { bytes in
      var offset = 0
      while offset + headerSize <= bytes.count {
        let event = bytes.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
        let start = offset + headerSize
        let end = min(bytes.count, start + Int(event.len))
        let name = bytes[start..<end].prefix { $0 != 0 }
        events.append((event.mask, String(decoding: name, as: UTF8.self)))
        offset = end
      }
    }
    return events
  }
}
