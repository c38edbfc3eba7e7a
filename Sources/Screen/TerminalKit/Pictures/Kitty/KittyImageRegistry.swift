/// Registry of the pictures in the terminal's memory, by their numbers there.
///
/// Numbers are few and are reused; a picture on the screen keeps its number.
struct KittyImageRegistry {
  private struct Book {
    let serial: UInt32
    let byteCount: Int
    var lastShown: Int
    var isSent = false
    /// Whether the picture was sent as a draft.
    var isDraft = false
  }

  private var images: [UInt8: Book] = [:]
  private var numbers: [UInt32: UInt8] = [:]
  private var free: [UInt8]
  private var turn = 0
  /// Bytes of terminal memory of all registered pictures.
  private(set) var byteCount = 0
  private let maximumBytes: Int

  /// Range of numbers: palette indices that users do not redefine, because the colour of a placeholder
  /// names its picture.
  static let allNumbers: ClosedRange<UInt8> = 16...255

  init(maximumBytes: Int = 64 << 20) {
    self.maximumBytes = maximumBytes
    free = Self.allNumbers.reversed()
  }

  /// Returns the number of a picture; nil where it has none.
  func number(of serial: UInt32) -> UInt8? { numbers[serial] }

  /// Registers the pictures of the next frame, the most important first, with the memory of each;
  /// returns the numbers that the terminal must delete.
  mutating func show(_ pictures: [(serial: UInt32, byteCount: Int)]) -> [UInt8] {
    turn += 1
    for picture in pictures {
      if let number = numbers[picture.serial] { images[number]?.lastShown = turn }
    }
    // An unsent picture that has left the screen is not sent any more.
    for (number, image) in images where !image.isSent && image.lastShown < turn { remove(number) }
    var forgotten: [UInt8] = []
    for picture in pictures where numbers[picture.serial] == nil {
      while free.isEmpty || byteCount + picture.byteCount > maximumBytes,
        let oldest = maxUnseenTime
      {
        remove(oldest)
        forgotten.append(oldest)
      }
      guard byteCount + picture.byteCount <= maximumBytes, let number = free.popLast() else {
        continue
      }
      numbers[picture.serial] = number
      images[number] = Book(
        serial: picture.serial, byteCount: picture.byteCount, lastShown: turn)
      byteCount += picture.byteCount
    }
    return forgotten
  }

  /// Whether the picture is registered but not sent.
  func isUnsent(_ serial: UInt32) -> Bool {
    numbers[serial].flatMap { images[$0] }.map { !$0.isSent } ?? false
  }

  /// Whether the terminal has only a draft of the picture.
  func isDraft(_ serial: UInt32) -> Bool {
    numbers[serial].flatMap { images[$0] }.map { $0.isSent && $0.isDraft } ?? false
  }

  mutating func didSend(_ serial: UInt32, asDraft: Bool = false) {
    guard let number = numbers[serial] else { return }
    images[number]?.isSent = true
    images[number]?.isDraft = asDraft
  }

  /// Removes all pictures and returns the numbers of those that were sent.
  mutating func removeAll() -> [UInt8] {
    let sent = images.filter(\.value.isSent).map(\.key).sorted()
    for number in images.keys { remove(number) }
    return sent
  }

  private var maxUnseenTime: UInt8? {
    images.filter { $0.value.lastShown < turn }.min { $0.value.lastShown < $1.value.lastShown }?.key
  }

  private mutating func remove(_ number: UInt8) {
    guard let image = images.removeValue(forKey: number) else { return }
    numbers[image.serial] = nil
    byteCount -= image.byteCount
    free.append(number)
  }
}
