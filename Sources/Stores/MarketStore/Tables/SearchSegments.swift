import SQLiteKit
import StoreCore

/// The search index's own tables, into which whole segments are written: many times faster than what
/// FTS5 does product by product.
///
/// The format is documented (https://www.sqlite.org/fts5.html#fts5_data_structures), and FTS5 goes on
/// with what is written here as with its own. An index of another version, or with other settings, is
/// left to FTS5 alone.
struct SearchSegments {
  /// Pieces from which on an import puts those together that it has written.
  private static let mostPieces = 256
  /// Leaves after which a merge gives back those that it has read.
  private static let step = 1_000
  private static let version: Int64 = 4
  private static let structureID: Int64 = 10
  private static let totalsID: Int64 = 1

  private let connection: Connection

  init(_ connection: Connection) {
    self.connection = connection
  }

  /// Whether the index is of the kind that is known here.
  func areKnown() throws(DatabaseError) -> Bool {
    let others = try connection.integer(
      """
      SELECT count(*) FROM product_letters_config
      WHERE k = 'version' AND v <> ? OR k = 'pgsz'
      """, .integer(Self.version))
    guard others == 0 else { return false }
    return try structure() != nil
  }

  /// Adds the products of a batch, whose numbers are above all that are in the index, as a segment.
  ///
  /// The transaction is the caller's, and nothing of it has been written to the index but by
  /// statements that have ended.
  func add(_ batch: borrowing TokenBatch) throws(DatabaseError) {
    guard batch.productCount > 0, var structure = try structure() else { return }
    try forgetStructure()
    try connection.writingShadowTables { () throws(DatabaseError) in
      let segment = structure.freeSegment
      var writer = SegmentWriter(segment, into: Rows(connection, segment))
      try batch.write(to: &writer)
      structure.add(Segment(id: segment, leaves: 1...max(1, try writer.finish())))
      try keep(structure)
      try count(products: batch.productCount, tokens: batch.tokenCount)
    }
    if structure.levels.contains(where: { $0.segments.count >= Self.mostPieces }) {
      try putTogether()
    }
  }

  /// Makes one segment of all.
  ///
  /// Where products were deleted, or came in another order, FTS5 does it, which takes its time.
  func putTogether() throws(DatabaseError) {
    try connection.run("SAVEPOINT pieces")
    let isDone: Bool
    do throws(DatabaseError) {
      isDone = try merge()
    } catch .damaged {
      isDone = false
    }
    if !isDone {
      try connection.run("ROLLBACK TO pieces")
      try connection.run("INSERT INTO product_letters (product_letters) VALUES ('optimize')")
    }
    try connection.run("RELEASE pieces")
  }

  /// Makes one segment of all; false where that cannot be, and what was written is to be undone.
  private func merge() throws(DatabaseError) -> Bool {
    guard try areKnown(), var structure = try structure(), !structure.isMerging else {
      return false
    }
    // The oldest first.
    let segments = structure.levels.reversed().flatMap(\.segments)
    guard segments.count > 1 else { return true }
    try forgetStructure()
    return try connection.writingShadowTables { () throws(DatabaseError) in
      let new = structure.freeSegment
      var merge = try SegmentMerge(
        segments, into: SegmentWriter(new, into: Rows(connection, new)), read: page(_:))
      repeat {
        guard let isDone = try merge.step(Self.step) else { return false }
        for (segment, leaves) in merge.spentLeaves { try delete(leaves, of: segment) }
        if isDone { break }
      } while true
      for segment in segments { try delete(segment.id) }
      let leafCount = try merge.finish()
      structure.replaceAll(by: leafCount > 0 ? Segment(id: new, leaves: 1...leafCount) : nil)
      try keep(structure)
      return true
    }
  }

  /// Has FTS5 read its structure again, which it keeps in memory: what was begun and is undone does so.
  private func forgetStructure() throws(DatabaseError) {
    try connection.run("SAVEPOINT structure")
    try connection.run(
      "INSERT INTO product_letters (product_letters, rank) VALUES ('usermerge', 4)")
    try connection.run("ROLLBACK TO structure")
    try connection.run("RELEASE structure")
  }

  private func page(_ id: Int64) throws(DatabaseError) -> [UInt8] {
    try connection.first(
      "SELECT block FROM product_letters_data WHERE id = ?", [.integer(id)]
    ) { row in row.blob(0) } ?? []
  }

  private func structure() throws(DatabaseError) -> SegmentStructure? {
    SegmentStructure(try page(Self.structureID))
  }

  private func keep(_ structure: SegmentStructure) throws(DatabaseError) {
    try keep(structure.bytes, at: Self.structureID)
  }

  private func keep(_ bytes: [UInt8], at id: Int64) throws(DatabaseError) {
    try connection.run(
      "REPLACE INTO product_letters_data (id, block) VALUES (?, ?)", .integer(id), .blob(bytes))
  }

  /// Adds to the numbers of rows and of tokens.
  private func count(products: Int, tokens: Int) throws(DatabaseError) {
    var totals = SegmentStructure.numbers(try page(Self.totalsID))
    totals += repeatElement(0, count: max(0, 2 - totals.count))
    totals[0] &+= UInt64(products)
    totals[1] &+= UInt64(tokens)
    try keep(SegmentStructure.bytes(of: totals), at: Self.totalsID)
  }

  private func delete(_ segment: Int) throws(DatabaseError) {
    let pages = SegmentPages.all(of: segment)
    try delete(pages)
    try connection.run(
      "DELETE FROM product_letters_idx WHERE segid = ?", .integer(Int64(segment)))
  }

  private func delete(_ leaves: ClosedRange<Int>, of segment: Int) throws(DatabaseError) {
    try delete(
      SegmentPages.leaf(
        leaves.lowerBound, of: segment)...SegmentPages.leaf(leaves.upperBound, of: segment))
  }

  private func delete(_ pages: ClosedRange<Int64>) throws(DatabaseError) {
    try connection.run(
      "DELETE FROM product_letters_data WHERE id BETWEEN ? AND ?", .integer(pages.lowerBound),
      .integer(pages.upperBound))
  }
}

extension SearchSegments {
  /// The rows of a segment that is being written.
  struct Rows: SegmentSink {
    private let connection: Connection
    private let segment: Int

    init(_ connection: Connection, _ segment: Int) {
      self.connection = connection
      self.segment = segment
    }

    func keep(_ page: UnsafeRawBufferPointer, at id: Int64) throws(DatabaseError) {
      try connection.run(
        "REPLACE INTO product_letters_data (id, block) VALUES (?, ?)", .integer(id),
        .blob(Array(page)))
    }

    func keep(
      _ key: ArraySlice<UInt8>, leaf: Int, hasDocumentIndex: Bool
    ) throws(DatabaseError) {
      try connection.run(
        "INSERT INTO product_letters_idx (segid, term, pgno) VALUES (?, ?, ?)",
        .integer(Int64(segment)), .blob(Array(key)),
        .integer(Int64(leaf) << 1 + (hasDocumentIndex ? 1 : 0)))
    }
  }
}

/// A segment of the index: its number and its leaves.
struct Segment: Hashable {
  let id: Int
  let leaves: ClosedRange<Int>
}

/// Record of which segments an index has.
struct SegmentStructure {
  struct Level {
    /// Segments that FTS5 is about to merge, a few leaves with each change.
    var mergingCount: Int
    /// The oldest first.
    var segments: [Segment]
  }

  private static let mostSegments = 2_000
  private static let mostLevels = 64

  private let cookie: ArraySlice<UInt8>
  private let writeCounter: UInt64
  private(set) var levels: [Level] = []

  /// Nil for what is none, or of a version that is not known here.
  init?(_ bytes: [UInt8]) {
    guard bytes.count > 4, bytes[4] != 0xFF else { return nil }
    cookie = bytes[..<4]
    var numbers = Self.numbers(bytes[4...])[...]
    guard let levelCount = numbers.popFirst(), let segmentCount = numbers.popFirst(),
      let counter = numbers.popFirst(), levelCount <= Self.mostLevels,
      segmentCount <= Self.mostSegments
    else { return nil }
    writeCounter = counter
    for _ in 0..<levelCount {
      guard let merging = numbers.popFirst(), let count = numbers.popFirst(), merging <= count,
        count <= Self.mostSegments
      else { return nil }
      var level = Level(mergingCount: Int(merging), segments: [])
      for _ in 0..<count {
        guard let segment = Self.segment(&numbers) else { return nil }
        level.segments.append(segment)
      }
      levels.append(level)
    }
    let all = levels.flatMap(\.segments)
    guard all.count == segmentCount, Set(all.map(\.id)).count == all.count else { return nil }
  }

  private static func segment(_ numbers: inout ArraySlice<UInt64>) -> Segment? {
    guard let id = numbers.popFirst(), let first = numbers.popFirst(),
      let last = numbers.popFirst(), (1...0xFFFF).contains(id), first >= 1, first <= last,
      last < 1 << 31
    else { return nil }
    return Segment(id: Int(id), leaves: Int(first)...Int(last))
  }

  var isMerging: Bool { levels.contains { $0.mergingCount > 0 } }

  /// The lowest number that no segment has.
  var freeSegment: Int {
    let taken = Set(levels.flatMap(\.segments).map(\.id))
    return (1...).first { !taken.contains($0) } ?? 1
  }

  /// Adds the newest segment.
  ///
  /// On the second level, which FTS5 never merges all at once: an import that was cut short leaves
  /// many. What is being merged there ends with the level's last segment.
  mutating func add(_ segment: Segment) {
    while levels.count < 2 { levels.append(Level(mergingCount: 0, segments: [])) }
    levels[isMerging ? 0 : 1].segments.append(segment)
  }

  mutating func replaceAll(by segment: Segment?) {
    while levels.count < 2 { levels.append(Level(mergingCount: 0, segments: [])) }
    for number in levels.indices { levels[number].segments = [] }
    if let segment { levels[levels.count - 1].segments = [segment] }
  }

  var bytes: [UInt8] {
    let all = levels.flatMap(\.segments)
    var numbers = [UInt64(levels.count), UInt64(all.count), writeCounter]
    for level in levels {
      numbers += [UInt64(level.mergingCount), UInt64(level.segments.count)]
      for segment in level.segments {
        numbers += [
          UInt64(segment.id), UInt64(segment.leaves.lowerBound), UInt64(segment.leaves.upperBound),
        ]
      }
    }
    return Array(cookie) + Self.bytes(of: numbers)
  }

  /// The numbers that some bytes are, each to its end.
  static func numbers(_ bytes: some Sequence<UInt8>) -> [UInt64] {
    let bytes = Array(bytes)
    // So that the last one ends, whatever stands there.
    let padded = bytes + [UInt8](repeating: 0, count: 9)
    return padded.withUnsafeBufferPointer { padded in
      var numbers: [UInt64] = []
      var offset = 0
      while offset < bytes.count, let start = padded.baseAddress {
        var number: UInt64 = 0
        offset += Varint.get(start + offset, &number)
        numbers.append(number)
      }
      return numbers
    }
  }

  static func bytes(of numbers: [UInt64]) -> [UInt8] {
    var bytes: [UInt8] = []
    for number in numbers { Varint.append(number, to: &bytes) }
    return bytes
  }
}
