/// Shelf of the pictures that the terminal keeps, by their numbers there: a pure bookkeeper.
///
/// Numbers are few and are given out again; what is on the screen never loses its number.
struct KittyImageRegistry {
  private struct Book {
    let serial: UInt32
    let byteCount: Int
    var lastShown: Int
    var isSent = false
    /// What was sent is a small version.
    var isDraft = false
  }

  private var images: [UInt8: Book] = [:]
  private var numbers: [UInt32: UInt8] = [:]
  private var free: [UInt8]
  private var turn = 0
  /// Memory that the terminal needs for what was promised to it.
  private(set) var byteCount = 0
  private let maximumBytes: Int

  /// The numbers in use: those of colours that users do not choose, because the colour of a
  /// placeholder says which picture it is of.
  static let allNumbers: ClosedRange<UInt8> = 16...255

  init(maximumBytes: Int = 64 << 20) {
    self.maximumBytes = maximumBytes
    free = Self.allNumbers.reversed()
  }

  /// The number of a picture; nil where it has none.
  func number(of serial: UInt32) -> UInt8? { numbers[serial] }

  /// Says which pictures the next frame shows, the most important first, with the memory that each
  /// needs; gives the numbers of those that the terminal shall forget.
  mutating func show(_ pictures: [(serial: UInt32, byteCount: Int)]) -> [UInt8] {
    turn += 1
    for picture in pictures {
      if let number = numbers[picture.serial] { images[number]?.lastShown = turn }
    }
    // What was never sent is not worth sending when it has left the screen.
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

  /// Whether the terminal still lacks the picture.
  func isUnsent(_ serial: UInt32) -> Bool {
    numbers[serial].flatMap { images[$0] }.map { !$0.isSent } ?? false
  }

  /// Whether the terminal has only a small version of the picture.
  func isDraft(_ serial: UInt32) -> Bool {
    numbers[serial].flatMap { images[$0] }.map { $0.isSent && $0.isDraft } ?? false
  }

  mutating func didSend(_ serial: UInt32, asDraft: Bool = false) {
    guard let number = numbers[serial] else { return }
    images[number]?.isSent = true
    images[number]?.isDraft = asDraft
  }

  /// Forgets all, as the terminal has or is about to, and gives the numbers that it had.
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
