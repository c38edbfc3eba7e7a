import MarketAPI
import Synchronization

/// Picture files of deleted products, for clients that load them when they read the response to a
/// deletion.
final class DeletedPictures: Sendable {
  private struct Entry {
    let address: PictureAddress
    let file: [UInt8]
    /// Last second in which the file is available.
    let end: Int64
  }

  /// Seconds for which a file is available.
  private static let seconds: Int64 = 60
  /// Maximum bytes of all files; beyond it the oldest are dropped.
  private static let maxBytes = 32 << 20

  private let now: @Sendable () -> Int64
  /// Files in the order of their deletion.
  private let entries = Mutex<[Entry]>([])

  init(now: @escaping @Sendable () -> Int64) {
    self.now = now
  }

  func keep(_ files: [PictureAddress: [UInt8]]) {
    let now = now()
    entries.withLock { entries in
      entries.removeAll { $0.end < now || files[$0.address] != nil }
      entries += files.map { Entry(address: $0, file: $1, end: now + Self.seconds) }
      var bytes = entries.reduce(0) { $0 + $1.file.count }
      while bytes > Self.maxBytes { bytes -= entries.removeFirst().file.count }
    }
  }

  /// File at an address; nil if it is none of a product that was deleted in the last minute.
  func file(at address: PictureAddress) -> [UInt8]? {
    let now = now()
    return entries.withLock { entries in
      entries.removeAll { $0.end < now }
      return entries.first { $0.address == address }?.file
    }
  }
}
