import Glibc
import MarketAPI

/// Cache of parsed request heads, since many requests consist of the same bytes.
///
/// A hit was parsed by `RequestHead` from exactly these bytes. Each head replaces the one in its slot,
/// so the size is fixed.
struct RequestHeadCache {
  private struct Entry {
    let bytes: [UInt8]
    let head: RequestHead
  }

  /// Number of slots.
  private static let slotCount = 64
  /// Maximum bytes of a cached head; longer ones are not cached.
  private static let byteLimit = 1 << 10

  private var slots = [Entry?](repeating: nil, count: slotCount)

  /// Head of a request without a body that consists of exactly these bytes; nil if it is not cached.
  func head(of bytes: UnsafeRawBufferPointer) -> RequestHead? {
    guard bytes.count <= Self.byteLimit, let entry = slots[Self.slot(of: bytes)],
      entry.bytes.withUnsafeBytes({ areEqual($0, bytes) })
    else { return nil }
    return entry.head
  }

  /// Caches the head of a GET; the path of a deletion may hold a password, which is never cached.
  mutating func store(_ head: RequestHead, of bytes: UnsafeRawBufferPointer) {
    guard head.method == .get, bytes.count <= Self.byteLimit, head.framing == .none else { return }
    slots[Self.slot(of: bytes)] = Entry(bytes: Array(bytes), head: head)
  }

  /// Slot by a hash of all bytes (FNV-1a over words).
  private static func slot(of bytes: UnsafeRawBufferPointer) -> Int {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    var offset = 0
    while offset + 8 <= bytes.count {
      hash = (hash ^ bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)) &* prime
      hash ^= hash >> 29
      offset += 8
    }
    while offset < bytes.count {
      hash = (hash ^ UInt64(bytes[offset])) &* prime
      offset += 1
    }
    return Int((hash >> 32) % UInt64(slotCount))
  }

  private func areEqual(_ one: UnsafeRawBufferPointer, _ other: UnsafeRawBufferPointer) -> Bool {
    guard one.count == other.count, let left = one.baseAddress, let right = other.baseAddress else {
      return false
    }
    return memcmp(left, right, one.count) == 0
  }

  private static let prime: UInt64 = 0x0000_0100_0000_01B3
}
