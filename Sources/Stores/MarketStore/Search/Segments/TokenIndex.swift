import Glibc

/// Index of the tokens of some texts in memory: of each token the documents that have it, and where.
///
/// Documents are numbered from 0 and come in their order. What a token's documents look like is what
/// FTS5 writes into its leaves (https://www.sqlite.org/fts5.html#fts5_data_structures), but for their
/// numbers, which are those of rows there.
struct TokenIndex: ~Copyable {
  /// The documents of one key: their bytes, of which the size of the last one's positions is open.
  private struct List {
    var bytes: UnsafeMutablePointer<UInt8>?
    var count: Int32 = 0
    var capacity: Int32 = 0
    /// Where the open size is; its byte is there already.
    var sizeOffset: Int32 = 0
    var document: Int32 = -1
    var position: Int32 = 0
    var keyOffset: Int32
    var keyCount: Int32
    var hash: UInt64
    /// The lists of the token's beginnings of 4 and 5 letters; -1 where it has none.
    var beginnings: (Int32, Int32) = (-1, -1)
  }

  private static let keyMark: UInt8 = 0x30
  /// Lengths of the beginnings that are kept as tokens are, in letters.
  private static let beginnings = (4, 5)

  /// Bytes of all keys, one after the other.
  ///
  /// A key is a token behind a mark, which for its beginnings
  /// is another one.
  private var keys: UnsafeMutablePointer<UInt8>
  private var keyCapacity = 1 << 16
  private var keyCount = 0
  private var lists: UnsafeMutablePointer<List>
  private var listCapacity = 1 << 12
  private(set) var listCount = 0
  /// Places of lists by the hashes of their keys; -1 where there is none.
  private var table: UnsafeMutablePointer<Int32>
  private var tableCount: Int
  private let seed = UInt64.random(in: .min ... .max)
  /// Tokens of each document so far.
  private(set) var tokenCounts: [Int32] = []
  /// Bytes of all lists.
  private(set) var byteCount = 0

  init() {
    lists = .allocate(capacity: listCapacity)
    keys = .allocate(capacity: keyCapacity)
    tableCount = listCapacity * 2
    table = .allocate(capacity: tableCount)
    table.initialize(repeating: -1, count: tableCount)
  }

  deinit {
    for number in 0..<listCount { free(lists[number].bytes) }
    lists.deallocate()
    keys.deallocate()
    table.deallocate()
  }

  var documentCount: Int { tokenCounts.count }

  /// Adds the next document; with tokens that are there already it goes on behind them.
  ///
  /// Its tokens are divided as FTS5's tokenizer `ascii` does: runs of letters and digits of ASCII,
  /// small or made so, and of all bytes above.
  mutating func add(_ tokens: borrowing TokenText, after earlier: Int32 = 0) {
    var position = earlier
    let document = Int32(tokenCounts.count)
    tokens.withLowercasedBytes { bytes in
      var start = 0
      while start < bytes.count {
        guard Self.isPart(bytes[start]) else {
          start += 1
          continue
        }
        var end = start + 1
        while end < bytes.count, Self.isPart(bytes[end]) { end += 1 }
        add(UnsafeRawBufferPointer(rebasing: bytes[start..<end]), document, position)
        position += 1
        start = end
      }
    }
    tokenCounts.append(position)
  }

  /// Whether a byte is one of a token.
  private static func isPart(_ byte: UInt8) -> Bool {
    byte >= 0x80 || (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte)
  }

  private mutating func add(
    _ token: UnsafeRawBufferPointer, _ document: Int32, _ position: Int32
  ) {
    let number = list(ofToken: token)
    append(position, of: document, to: number)
    let (four, five) = lists[number].beginnings
    if four >= 0 { append(position, of: document, to: Int(four)) }
    if five >= 0 { append(position, of: document, to: Int(five)) }
  }

  private mutating func append(_ position: Int32, of document: Int32, to number: Int) {
    reserve(24, in: number)
    if lists[number].document != document {
      close(number)
      let previous = max(lists[number].document, 0)
      put(UInt64(document - previous), in: number)
      lists[number].sizeOffset = lists[number].count
      lists[number].count += 1
      lists[number].document = document
      lists[number].position = 0
    }
    put(UInt64(position - lists[number].position) + 2, in: number)
    lists[number].position = position
  }

  /// Writes the size of the last document's positions.
  private mutating func close(_ number: Int) {
    guard lists[number].document >= 0, let bytes = lists[number].bytes else { return }
    let offset = Int(lists[number].sizeOffset)
    let size = UInt64(Int(lists[number].count) - offset - 1) * 2
    let width = Varint.size(size)
    if width > 1 {
      memmove(bytes + offset + width, bytes + offset + 1, Int(size / 2))
      lists[number].count += Int32(width - 1)
    }
    Varint.put(size, to: bytes + offset)
  }

  private func put(_ value: UInt64, in number: Int) {
    guard let bytes = lists[number].bytes else { return }
    lists[number].count += Int32(Varint.put(value, to: bytes + Int(lists[number].count)))
  }

  private mutating func reserve(_ count: Int, in number: Int) {
    guard Int(lists[number].count) + count > lists[number].capacity else { return }
    let capacity = max(64, Int(lists[number].capacity) * 2)
    guard let bytes = realloc(lists[number].bytes, capacity) else {
      preconditionFailure("no memory for \(capacity) bytes")
    }
    byteCount += capacity - Int(lists[number].capacity)
    lists[number].bytes = bytes.assumingMemoryBound(to: UInt8.self)
    lists[number].capacity = Int32(capacity)
  }
}

// MARK: Keys

extension TokenIndex {
  /// The list of a token, after those of its beginnings.
  private mutating func list(ofToken token: UnsafeRawBufferPointer) -> Int {
    let (number, isNew) = list(of: token, behind: Self.keyMark)
    guard isNew else { return number }
    if let count = Self.bytes(ofLetters: Self.beginnings.0, in: token) {
      let beginning = UnsafeRawBufferPointer(rebasing: token[..<count])
      lists[number].beginnings.0 = Int32(list(of: beginning, behind: Self.keyMark + 1).number)
    }
    if let count = Self.bytes(ofLetters: Self.beginnings.1, in: token) {
      let beginning = UnsafeRawBufferPointer(rebasing: token[..<count])
      lists[number].beginnings.1 = Int32(list(of: beginning, behind: Self.keyMark + 2).number)
    }
    return number
  }

  /// Bytes of so many letters at the beginning; nil where there are fewer.
  private static func bytes(ofLetters count: Int, in token: UnsafeRawBufferPointer) -> Int? {
    var letters = 0
    for (offset, byte) in token.enumerated() where byte & 0xC0 != 0x80 {
      if letters == count { return offset }
      letters += 1
    }
    return letters == count ? token.count : nil
  }

  private mutating func list(
    of token: UnsafeRawBufferPointer, behind mark: UInt8
  ) -> (number: Int, isNew: Bool) {
    let hash = hash(token, mark)
    var place = Int(truncatingIfNeeded: hash) & (tableCount - 1)
    while case let number = Int(table[place]), number >= 0 {
      if lists[number].hash == hash, isKey(number, token, mark) { return (number, false) }
      place = (place + 1) & (tableCount - 1)
    }
    let number = listCount
    table[place] = Int32(number)
    if number == listCapacity { grow() }
    let list = List(
      keyOffset: Int32(keyCount), keyCount: Int32(token.count + 1), hash: hash)
    (lists + number).initialize(to: list)
    listCount += 1
    appendKey(token, mark)
    if listCount * 2 > tableCount { rehash() }
    return (number, true)
  }

  private mutating func appendKey(_ token: UnsafeRawBufferPointer, _ mark: UInt8) {
    if keyCount + token.count + 1 > keyCapacity {
      let capacity = (keyCapacity + token.count) * 2
      let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
      larger.update(from: keys, count: keyCount)
      keys.deallocate()
      keys = larger
      keyCapacity = capacity
    }
    keys[keyCount] = mark
    if let start = token.baseAddress { memcpy(keys + keyCount + 1, start, token.count) }
    keyCount += token.count + 1
  }

  private func isKey(_ number: Int, _ token: UnsafeRawBufferPointer, _ mark: UInt8) -> Bool {
    let key = keys + Int(lists[number].keyOffset)
    guard let start = token.baseAddress, Int(lists[number].keyCount) == token.count + 1,
      key[0] == mark
    else { return false }
    return memcmp(key + 1, start, token.count) == 0
  }

  /// By eight bytes at a time; the last ones overlap, or are put together.
  private func hash(_ token: UnsafeRawBufferPointer, _ mark: UInt8) -> UInt64 {
    let count = token.count
    var hash = seed ^ UInt64(mark) << 32 ^ UInt64(count)
    if count >= 8 {
      var offset = 0
      while offset + 8 < count {
        hash = Self.mix(hash ^ token.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
        offset += 8
      }
      return Self.mix(hash ^ token.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self))
    }
    var word: UInt64 = 0
    if count >= 4 {
      word = UInt64(token.loadUnaligned(fromByteOffset: 0, as: UInt32.self))
      word |= UInt64(token.loadUnaligned(fromByteOffset: count - 4, as: UInt32.self)) << 32
    } else {
      for byte in token { word = word << 8 | UInt64(byte) }
    }
    return Self.mix(hash ^ word)
  }

  private static func mix(_ value: UInt64) -> UInt64 {
    let product = value &* 0x9E37_79B9_7F4A_7C15
    return product ^ product >> 32
  }

  private mutating func grow() {
    let larger = UnsafeMutablePointer<List>.allocate(capacity: listCapacity * 2)
    larger.moveInitialize(from: lists, count: listCount)
    lists.deallocate()
    lists = larger
    listCapacity *= 2
  }

  private mutating func rehash() {
    table.deallocate()
    tableCount *= 2
    table = .allocate(capacity: tableCount)
    table.initialize(repeating: -1, count: tableCount)
    for number in 0..<listCount {
      var place = Int(truncatingIfNeeded: lists[number].hash) & (tableCount - 1)
      while table[place] >= 0 { place = (place + 1) & (tableCount - 1) }
      table[place] = Int32(number)
    }
  }
}

// MARK: Reading

extension TokenIndex {
  /// Ends the last documents, after which none is added; gives the numbers of the lists in the order
  /// of their keys.
  mutating func finish() -> [Int] {
    for number in 0..<listCount { close(number) }
    return order()
  }

  private borrowing func order() -> [Int] {
    var ranges: [Range<Int>] = []
    for number in 0..<listCount {
      let offset = Int(lists[number].keyOffset)
      ranges.append(offset..<(offset + Int(lists[number].keyCount)))
    }
    let keys = UnsafeRawBufferPointer(start: keys, count: keyCount)
    return ranges.indices.sorted { one, other in
      Self.compare(
        UnsafeRawBufferPointer(rebasing: keys[ranges[one]]),
        UnsafeRawBufferPointer(rebasing: keys[ranges[other]])) < 0
    }
  }

  /// The order of two keys, as memcmp and lengths have it.
  static func compare(_ one: UnsafeRawBufferPointer, _ other: UnsafeRawBufferPointer) -> Int32 {
    let count = min(one.count, other.count)
    guard let first = one.baseAddress, let second = other.baseAddress, count > 0 else {
      return Int32(one.count - other.count)
    }
    let order = memcmp(first, second, count)
    return order != 0 ? order : Int32(one.count - other.count)
  }

  /// The key of a list, which is valid as long as this is.
  func key(_ number: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(
      start: keys + Int(lists[number].keyOffset), count: Int(lists[number].keyCount))
  }

  /// The documents of a list, which is valid as long as this is.
  func documents(_ number: Int) -> DocumentReader {
    DocumentReader(
      UnsafeBufferPointer(start: lists[number].bytes, count: Int(lists[number].count)))
  }
}

/// Reader of the documents of one list.
struct DocumentReader {
  private let bytes: UnsafeBufferPointer<UInt8>
  private var offset = 0
  private(set) var document = 0
  /// The positions of the document.
  private(set) var positions = UnsafeBufferPointer<UInt8>(start: nil, count: 0)

  fileprivate init(_ bytes: UnsafeBufferPointer<UInt8>) {
    self.bytes = bytes
  }

  /// Moves to the next document; false where there is none.
  mutating func next() -> Bool {
    guard offset < bytes.count, let start = bytes.baseAddress else { return false }
    var delta: UInt64 = 0
    var size: UInt64 = 0
    offset += Varint.get(start + offset, &delta)
    offset += Varint.get(start + offset, &size)
    document += Int(delta)
    let count = Int(size / 2)
    positions = UnsafeBufferPointer(start: start + offset, count: count)
    offset += count
    return true
  }
}

/// Numbers of 1 to 9 bytes (https://www.sqlite.org/fileformat2.html#varint).
enum Varint {
  static func size(_ value: UInt64) -> Int {
    if value < 0x80 { return 1 }
    let bits = UInt64.bitWidth - value.leadingZeroBitCount
    return min(9, (bits + 6) / 7)
  }

  /// Writes a number, and gives how many bytes it took.
  @discardableResult
  static func put(_ value: UInt64, to place: UnsafeMutablePointer<UInt8>) -> Int {
    if value < 0x80 {
      place[0] = UInt8(truncatingIfNeeded: value)
      return 1
    }
    let count = size(value)
    var rest = value
    var last = count - 1
    if count == 9 {
      place[8] = UInt8(truncatingIfNeeded: rest)
      rest >>= 8
      last = 7
    } else {
      place[last] = UInt8(truncatingIfNeeded: rest & 0x7F)
      rest >>= 7
      last -= 1
    }
    while last >= 0 {
      place[last] = UInt8(truncatingIfNeeded: rest & 0x7F) | 0x80
      rest >>= 7
      last -= 1
    }
    return count
  }

  static func append(_ value: UInt64, to bytes: inout [UInt8]) {
    if value < 0x80 { return bytes.append(UInt8(truncatingIfNeeded: value)) }
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 9) { room in
      guard let start = room.baseAddress else { return }
      bytes.append(contentsOf: room[..<put(value, to: start)])
    }
  }

  /// Reads a number that is there to its end, and gives how many bytes it took.
  static func get(_ place: UnsafePointer<UInt8>, _ value: inout UInt64) -> Int {
    let first = place[0]
    if first < 0x80 {
      value = UInt64(first)
      return 1
    }
    var result = UInt64(first & 0x7F)
    for offset in 1..<8 {
      let byte = place[offset]
      result = result << 7 | UInt64(byte & 0x7F)
      if byte < 0x80 {
        value = result
        return offset + 1
      }
    }
    value = result << 8 | UInt64(place[8])
    return 9
  }
}
