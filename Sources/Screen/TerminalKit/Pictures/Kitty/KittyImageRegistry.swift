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
    /// Time at which it was sent last, where the terminal has not confirmed it; else nil.
    var unconfirmedSince: ContinuousClock.Instant?
    var sendCount = 0
  }

  /// Number of times that a picture is sent to a terminal that does not confirm it.
  static let mostSends = 4

  private var images: [UInt8: Book] = [:]
  private var numbers: [UInt32: UInt8] = [:]
  private var free: [UInt8]
  private var turn = 0
  private var lastConfirmation: ContinuousClock.Instant?
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
    var forgotten: [UInt8] = []
    for (number, image) in images where !image.isSent && image.lastShown < turn {
      remove(number)
      if image.sendCount > 0 { forgotten.append(number) }
    }
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

  /// Records that a picture was sent.
  ///
  /// - Parameters:
  ///   - serial: the picture.
  ///   - asDraft: whether a full one follows.
  ///   - time: the present where the terminal confirms what it gets, else nil.
  mutating func didSend(
    _ serial: UInt32, asDraft: Bool = false, at time: ContinuousClock.Instant? = nil
  ) {
    guard let number = numbers[serial] else { return }
    images[number]?.isSent = true
    images[number]?.isDraft = asDraft
    images[number]?.unconfirmedSince = time
    images[number]?.sendCount += 1
  }

  /// Whether the terminal may still confirm pictures that would otherwise be sent again.
  var isWaiting: Bool {
    images.values.contains { $0.unconfirmedSince != nil && $0.sendCount < Self.mostSends }
  }

  /// Records that the terminal has a picture; since it confirms in order, those that were sent before and
  /// are not confirmed are lost.
  mutating func didConfirm(_ number: UInt8, at time: ContinuousClock.Instant) {
    guard let sent = images[number]?.unconfirmedSince else { return }
    images[number]?.unconfirmedSince = nil
    lastConfirmation = time
    for (number, image) in images where image.unconfirmedSince.map({ $0 < sent }) == true {
      lose(number)
    }
  }

  /// Marks a picture as unsent that the terminal does not have.
  mutating func lose(_ number: UInt8) {
    guard let image = images[number], image.unconfirmedSince != nil else { return }
    guard image.sendCount < Self.mostSends else { return }
    images[number]?.isSent = false
    images[number]?.unconfirmedSince = nil
  }

  /// Marks pictures as unsent where the terminal has confirmed nothing for a time, twice as long after each
  /// sending.
  mutating func loseUnconfirmed(after limit: Duration, at time: ContinuousClock.Instant) {
    for (number, image) in images {
      guard let sent = image.unconfirmedSince else { continue }
      let silence = max(sent, lastConfirmation ?? sent).duration(to: time)
      if silence >= limit * (1 << (image.sendCount - 1)) { lose(number) }
    }
  }

  /// Removes all pictures and returns the numbers of those that were sent.
  mutating func removeAll() -> [UInt8] {
    let sent = images.filter { $0.value.sendCount > 0 }.map(\.key).sorted()
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
