import Glibc
package import SafeTextKit

/// Field for a password: one types at its end, and sees dots.
///
/// The bytes lie in one buffer of fixed size, which all copies of the editor share, which stays out of
/// the swap where the system allows that, and which is wiped on request and at the latest with the
/// last copy. There is no undo, no coding, no equality, and no way to print them.
package struct PasswordEditor {
  /// Most bytes of a password, in UTF-8.
  package static let capacity = 1_024

  /// A page of memory of its own, since locks count for whole pages (mlock(2)).
  private final class Storage {
    private static let page = Int(sysconf(Int32(_SC_PAGESIZE)))

    /// Made with the first byte: most forms have no password typed into them.
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

  /// Whether it was filled and not typed: the first key takes the place of all of it.
  package var isGiven: Bool { storage.isGiven }

  /// Whether the system keeps what it holds in memory alone; false also before anything is in it.
  package var isLocked: Bool { storage.isLocked }

  /// Fills it with a password that was right before, which the first key replaces; false where that
  /// has no room.
  @discardableResult package mutating func fill(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    wipe()
    guard !bytes.isEmpty, bytes.count <= Self.capacity else { return false }
    for (index, byte) in bytes.enumerated() { storage.bytes[index] = byte }
    storage.count = bytes.count
    storage.isGiven = true
    return true
  }

  /// Number of characters that were typed: scalars in NFC, of which a Hangul syllable is one.
  package var characterCount: Int {
    storage.typed.count { Self.startsCharacter($0) }
  }

  /// A dot for each character.
  package var masked: SafeText { SafeText(String(repeating: "•", count: characterCount)) }

  /// The characters themselves, for a screen on which somebody asked for them: a copy that is not
  /// wiped.
  package var shown: SafeText { SafeText(String(decoding: storage.typed, as: UTF8.self)) }

  /// Appends typed or pasted text without control characters; false when there is no room for it,
  /// and then nothing is appended.
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
    // Counted in bytes: a string of them would be a copy that nobody wipes.
    var isDeleted = storage.count == 0
    while !isDeleted {
      storage.count -= 1
      isDeleted = Self.startsCharacter(storage.bytes[storage.count])
      storage.bytes[storage.count] = 0
    }
  }

  /// Lends the bytes, UTF-8 in NFC.
  package func withBytes<Result>(
    _ body: (UnsafeBufferPointer<UInt8>) throws -> Result
  ) rethrows -> Result {
    try body(storage.typed)
  }

  /// Overwrites the bytes of this editor and of all its copies.
  package mutating func wipe() {
    storage.wipe()
  }

  /// False for the second and later bytes of a character in UTF-8.
  private static func startsCharacter(_ byte: UInt8) -> Bool { byte & 0b1100_0000 != 0b1000_0000 }
}

extension PasswordEditor: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  package var description: String { "••••" }
  package var debugDescription: String { description }
  package var customMirror: Mirror { Mirror(self, children: []) }
}
