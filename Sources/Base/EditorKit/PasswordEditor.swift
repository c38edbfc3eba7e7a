import Glibc
package import SafeTextKit

/// Password field: text is appended at its end and shown as dots.
///
/// All copies share one buffer of fixed size, which is locked in memory where the system allows it,
/// and wiped on request and when the last copy is released. It has no undo, no coding, no equality,
/// and no printable form.
package struct PasswordEditor {
  /// Maximum bytes of a password in UTF-8; longer input is refused.
  package static let capacity = 1_024

  /// Memory page of its own, since locks apply to whole pages (mlock(2)).
  private final class Storage {
    private static let page = Int(sysconf(Int32(_SC_PAGESIZE)))

    /// Allocated with the first byte: most forms receive no password.
    private(set) lazy var bytes: UnsafeMutablePointer<UInt8> = {
      let page = UnsafeMutableRawPointer.allocate(byteCount: Self.page, alignment: Self.page)
      let bytes = page.initializeMemory(as: UInt8.self, repeating: 0, count: Self.page)
      isLocked = mlock(page, Self.page) == 0
      isMade = true
      return bytes
    }()
    private var isMade = false
    private(set) var isLocked = false
    var isGiven = false
    var count = 0

    var typed: UnsafeBufferPointer<UInt8> {
      UnsafeBufferPointer(start: isMade ? bytes : nil, count: count)
    }

    func wipe() {
      if isMade { explicit_bzero(bytes, Self.page) }
      count = 0
      isGiven = false
    }

    deinit {
      guard isMade else { return }
      wipe()
      munlock(bytes, Self.page)
      UnsafeMutableRawPointer(bytes).deallocate()
    }
  }

  private let storage = Storage()

  package init() {}

  package var isEmpty: Bool { storage.count == 0 }

  /// Whether the content was filled in by `fill(_:)`, so that the first key press replaces all of it.
  package var isGiven: Bool { storage.isGiven }

  /// Whether the buffer is locked in memory; false before the first byte.
  package var isLocked: Bool { storage.isLocked }

  /// Fills in a remembered password, which the first key press replaces; false and empty where it is
  /// empty or longer than `capacity`.
  @discardableResult package mutating func fill(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    wipe()
    guard !bytes.isEmpty, bytes.count <= Self.capacity else { return false }
    for (index, byte) in bytes.enumerated() { storage.bytes[index] = byte }
    storage.count = bytes.count
    storage.isGiven = true
    return true
  }

  /// Number of characters: scalars in NFC, of which a Hangul syllable is one.
  package var characterCount: Int {
    storage.typed.count { Self.startsCharacter($0) }
  }

  /// One dot for each character.
  package var masked: SafeText { SafeText(String(repeating: "•", count: characterCount)) }

  /// Password in plain text, when the user asks to see it: a copy that is not wiped.
  package var shown: SafeText { SafeText(String(decoding: storage.typed, as: UTF8.self)) }

  /// Appends text without control characters; false where it exceeds `capacity`, and then nothing is
  /// appended.
  @discardableResult package mutating func type(_ input: String) -> Bool {
    let typed = String(
      String.UnicodeScalarView(
        input.unicodeScalars.lazy.filter { $0.properties.generalCategory != .control }))
    let bytes = typed.precomposed.utf8
    if storage.isGiven { storage.wipe() }
    guard storage.count + bytes.count <= Self.capacity else { return false }
    for byte in bytes {
      storage.bytes[storage.count] = byte
      storage.count += 1
    }
    return true
  }

  /// Deletes the last character.
  package mutating func deleteLast() {
    if storage.isGiven { storage.wipe() }
    // Counted in bytes: a string would be a copy that is not wiped.
    var isDeleted = storage.count == 0
    while !isDeleted {
      storage.count -= 1
      isDeleted = Self.startsCharacter(storage.bytes[storage.count])
      storage.bytes[storage.count] = 0
    }
  }

  /// Calls `body` with the bytes, UTF-8 in NFC.
  ///
  /// - Throws: what `body` throws.
  package func withBytes<Result>(
    _ body: (UnsafeBufferPointer<UInt8>) throws -> Result
  ) rethrows -> Result {
    try body(storage.typed)
  }

  /// Overwrites the bytes of this editor and all its copies.
  package mutating func wipe() {
    storage.wipe()
  }

  /// Whether a byte is not a continuation byte of UTF-8.
  private static func startsCharacter(_ byte: UInt8) -> Bool { byte & 0b1100_0000 != 0b1000_0000 }
}

extension PasswordEditor: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  package var description: String { "••••" }
  package var debugDescription: String { description }
  package var customMirror: Mirror { Mirror(self, children: []) }
}
