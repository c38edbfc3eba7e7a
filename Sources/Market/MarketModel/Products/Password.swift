import Glibc
import Synchronization

/// A product's password: never coded, compared, printed or stored, and wiped after use.
///
/// All copies share one buffer, so that `wipe()` wipes them all; the buffer is wiped at the latest
/// when the last copy goes.
package struct Password: Sendable {
  private final class Storage: Sendable {
    let bytes: Mutex<[UInt8]>

    init(_ bytes: [UInt8]) {
      self.bytes = Mutex(bytes)
    }

    func wipe() {
      bytes.withLock { bytes in
        bytes.withUnsafeMutableBytes { buffer in
          // A plain loop over bytes that nobody reads again is one that a compiler may leave out.
          if let start = buffer.baseAddress { explicit_bzero(start, buffer.count) }
        }
        bytes.removeAll(keepingCapacity: true)
      }
    }

    deinit { wipe() }
  }

  private let storage: Storage

  /// Takes the text that a user typed or a request carried; its UTF-8 bytes are the password.
  package init(_ text: String) {
    storage = Storage(Array(text.utf8))
  }

  /// A copy of the password in UTF-8; the caller wipes its own.
  package init(bytes: UnsafeBufferPointer<UInt8>) {
    storage = Storage(Array(bytes))
  }

  /// Length in UTF-8 bytes.
  package var byteCount: Int { storage.bytes.withLock { $0.count } }

  /// Lends the bytes for hashing or for a request body.
  package func withBytes<Result: Sendable>(
    _ body: (UnsafeBufferPointer<UInt8>) throws -> Result
  ) rethrows -> Result {
    try storage.bytes.withLock { bytes in try bytes.withUnsafeBufferPointer(body) }
  }

  /// Makes sure that no crash of this process writes its memory, and with it passwords, into a file
  /// (core(5)); programs that it starts are held to that as well.
  package static func excludeFromCoreDumps() {
    var none = rlimit(rlim_cur: 0, rlim_max: 0)
    setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
  }

  /// Overwrites the bytes of this password and of all its copies.
  package func wipe() {
    storage.wipe()
  }
}

extension Password: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  package var description: String { "••••" }
  package var debugDescription: String { description }
  package var customMirror: Mirror { Mirror(self, children: []) }
}
