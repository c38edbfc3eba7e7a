import SQLiteKit

/// Reader of one segment from its beginning to its end: of its keys and their documents in order.
///
/// A file may come from a stranger: whatever does not fit throws `.damaged`.
struct SegmentReader {
  private let segment: Int
  private let lastLeaf: Int
  private let read: (Int64) throws(DatabaseError) -> [UInt8]
  private(set) var leaf: Int
  private var bytes: [UInt8] = []
  /// Where the documents of the leaf end and the places of its keys begin.
  private var end = 0
  private var offset = 0
  /// Where the next key of the leaf begins; `end` where there is none.
  private var nextKey = 0
  private var placeOffset = 0
  private var leafHasKey = false
  private(set) var key: [UInt8] = []
  private(set) var document: Int64 = 0
  private var isFirstDocument = false
  /// Whether positions of the document are marked as deleted.
  private(set) var isDeletion = false
  private(set) var isAtEnd = false

  /// A reader of some leaves, whose pages `read` gives.
  init(
    _ segment: Int, leaves: ClosedRange<Int>,
    read: @escaping (Int64) throws(DatabaseError) -> [UInt8]
  ) throws(DatabaseError) {
    self.segment = segment
    self.read = read
    leaf = leaves.lowerBound
    lastLeaf = leaves.upperBound
    try load()
    guard nextKey == SegmentPages.headerSize else { throw .damaged }
    try nextTerm()
  }

  /// Moves behind the documents of the key, which were all read, to the next key.
  mutating func nextTerm() throws(DatabaseError) {
    if offset == end {
      guard leaf < lastLeaf else {
        isAtEnd = true
        return
      }
      leaf += 1
      try load()
    }
    guard offset == nextKey, offset < end else { throw .damaged }
    let shared = leafHasKey ? try number() : 0
    let count = try number()
    guard shared <= UInt64(key.count), count <= UInt64(end - offset) else { throw .damaged }
    key.removeSubrange(Int(shared)...)
    key += bytes[offset..<(offset + Int(count))]
    offset += Int(count)
    leafHasKey = true
    isFirstDocument = true
    try findNextKey()
  }

  /// Moves to the next document of the key, and appends its positions; false where there is none.
  mutating func nextDocument(
    appendingTo positions: inout [UInt8]
  ) throws(DatabaseError) -> Bool {
    var isFirst = isFirstDocument
    if offset == nextKey, offset < end { return false }
    if offset == end {
      guard leaf < lastLeaf else { return false }
      let next = try page(leaf + 1)
      guard Self.pair(next, 0) == SegmentPages.headerSize else { return false }
      leaf += 1
      try load(next)
      isFirst = true
    }
    let number = Int64(bitPattern: try number())
    let (sum, overflow) = document.addingReportingOverflow(number)
    guard isFirst || !overflow else { throw .damaged }
    document = isFirst ? number : sum
    isFirstDocument = false
    let size = try self.number()
    isDeletion = size & 1 != 0
    var rest = size / 2
    while rest > 0 {
      if offset == end {
        guard leaf < lastLeaf else { throw .damaged }
        leaf += 1
        try load()
      }
      let limit = nextKey > offset ? nextKey : end
      let count = Int(min(rest, UInt64(limit - offset)))
      guard count > 0 else { throw .damaged }
      positions += bytes[offset..<(offset + count)]
      offset += count
      rest -= UInt64(count)
    }
    return true
  }

  private mutating func load() throws(DatabaseError) { try load(try page(leaf)) }

  private func page(_ leaf: Int) throws(DatabaseError) -> [UInt8] {
    let page = try read(SegmentPages.leaf(leaf, of: segment))
    guard page.count >= SegmentPages.headerSize,
      (SegmentPages.headerSize...page.count).contains(Self.pair(page, 2))
    else { throw .damaged }
    return page
  }

  private mutating func load(_ page: [UInt8]) throws(DatabaseError) {
    bytes = page
    end = Self.pair(page, 2)
    offset = SegmentPages.headerSize
    placeOffset = end
    nextKey = 0
    leafHasKey = false
    try findNextKey()
  }

  private mutating func findNextKey() throws(DatabaseError) {
    guard placeOffset < bytes.count else {
      nextKey = end
      return
    }
    var distance: UInt64 = 0
    placeOffset += Self.number(bytes, placeOffset, &distance)
    guard distance > 0, distance <= UInt64(end), nextKey + Int(distance) < end else {
      throw .damaged
    }
    nextKey += Int(distance)
  }

  private mutating func number() throws(DatabaseError) -> UInt64 {
    var value: UInt64 = 0
    offset += Self.number(bytes, offset, &value)
    guard offset <= end else { throw .damaged }
    return value
  }

  private static func pair(_ bytes: [UInt8], _ offset: Int) -> Int {
    Int(bytes[offset]) << 8 | Int(bytes[offset + 1])
  }

  /// Reads a number, and gives how many bytes it took; more than there are where it does not end.
  private static func number(_ bytes: [UInt8], _ offset: Int, _ value: inout UInt64) -> Int {
    bytes.withUnsafeBufferPointer { bytes in
      guard offset < bytes.count, let start = bytes.baseAddress else { return 9 }
      if offset + 9 <= bytes.count { return Varint.get(start + offset, &value) }
      return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 9) { room in
        room.initialize(repeating: 0)
        for place in offset..<bytes.count { room[place - offset] = bytes[place] }
        guard let first = room.baseAddress else { return 9 }
        return Varint.get(first, &value)
      }
    }
  }
}
