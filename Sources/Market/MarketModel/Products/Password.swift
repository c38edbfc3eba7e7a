import Glibc
import Synchronization

/// Password of a product: never coded, compared, printed or stored, and wiped after use.
///
/// All copies share one buffer, so that `wipe()` wipes them all; it is also wiped when the last copy
/// is released.
package struct Password: Sendable {
  private final class Storage: Sendable {
    let bytes: Mutex<[UInt8]>

    init(_ bytes: [UInt8]) {
      self.bytes = Mutex(bytes)
    }

    func wipe() {
      bytes.withLock { bytes in
        bytes.withUnsafeMutableBytes { buffer in
          // A compiler may remove a plain loop over bytes that are not read again.
          if let start = buffer.baseAddress { explicit_bzero(start, buffer.count) }
        }
        bytes.removeAll(keepingCapacity: true)
      }
    }

    deinit { wipe() }
  }

  private let storage: Storage

  /// Takes a typed or received text; its UTF-8 bytes are the password.
  package init(_ text: String) {
    storage = Storage(Array(text.utf8))
  }

  /// Copies a password in UTF-8; the caller wipes the source.
  package init(bytes: UnsafeBufferPointer<UInt8>) {
    storage = Storage(Array(bytes))
  }

  /// Length in UTF-8 bytes.
  package var byteCount: Int { storage.bytes.withLock { $0.count } }

  /// Calls `body` with the bytes, for hashing or a request body.
  ///
  /// - Throws: what `body` throws.
  package func withBytes<Result: Sendable>(
    _ body: (UnsafeBufferPointer<UInt8>) throws -> Result
  ) rethrows -> Result {
    try storage.bytes.withLock { bytes in try bytes.withUnsafeBufferPointer(body) }
  }

  /// Disables core dumps of this process and its children (core(5)), which would write passwords to a
  /// file.
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
