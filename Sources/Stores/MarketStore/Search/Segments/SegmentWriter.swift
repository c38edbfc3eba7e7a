import SQLiteKit

/// Rows of the search index's own tables that hold one segment.
protocol SegmentSink {
  /// Keeps a page under its number among all of the index.
  mutating func keep(_ page: UnsafeRawBufferPointer, at id: Int64) throws(DatabaseError)

  /// Keeps the beginning of the first key of a leaf, and whether the last key of it has an index of
  /// its documents.
  mutating func keep(
    _ key: ArraySlice<UInt8>, leaf: Int, hasDocumentIndex: Bool
  ) throws(DatabaseError)
}

/// Numbers of the pages of segments (https://www.sqlite.org/fts5.html#fts5_data_structures).
enum SegmentPages {
  /// Bytes of a leaf, as FTS5 has them where nobody has said otherwise.
  static let leafSize = 4_050
  static let headerSize = 4
  /// Room for what may follow behind a full leaf.
  static let slack = 64
  /// Leaves without a key from which on a key has an index of its documents.
  static let fewestLeaves = 4

  static func leaf(_ number: Int, of segment: Int) -> Int64 { Int64(segment) << 37 + Int64(number) }

  static func documentIndex(_ leaf: Int, height: Int, of segment: Int) -> Int64 {
    Int64(segment) << 37 + 1 << 36 + Int64(height) << 31 + Int64(leaf)
  }

  static func all(of segment: Int) -> ClosedRange<Int64> {
    Int64(segment) << 37...(Int64(segment + 1) << 37 - 1)
  }
}

/// Writer of one segment, which gets its keys in their order, and of each the documents in theirs.
struct SegmentWriter<Sink: SegmentSink>: ~Copyable {
  /// Index of the documents of one key that goes over many leaves: their first documents.
  private struct DocumentIndex {
    var page = 0
    var bytes: [UInt8] = []
    var first: Int64 = 0
    var previous: Int64?
  }

  let segment: Int
  var sink: Sink
  private var leaf = 1
  private var buffer: UnsafeMutablePointer<UInt8>
  private var capacity = SegmentPages.leafSize + SegmentPages.slack
  private var count = SegmentPages.headerSize
  /// Places of the keys on the leaf, each as the distance to the one before.
  private var places: [UInt8] = []
  private var lastPlace = 0
  private var key: [UInt8] = []
  private var lastDocument: Int64 = 0
  private var isFirstDocument = true
  private var leafHasKey = false
  private var leafHasDocument = false
  /// What the list of leaves says of the last leaf that begins with a key.
  private var listed: (key: [UInt8], leaf: Int)? = ([], 1)
  private var leavesWithoutKey = 0
  private var indexes: [DocumentIndex] = [DocumentIndex()]

  init(_ segment: Int, into sink: consuming Sink) {
    self.segment = segment
    self.sink = sink
    buffer = .allocate(capacity: capacity)
    buffer.update(repeating: 0, count: SegmentPages.headerSize)
  }

  deinit { buffer.deallocate() }

  /// Leaves that are full.
  var leafCount: Int { leaf - 1 }

  /// Begins a key, which is behind all before.
  mutating func begin(_ key: UnsafeRawBufferPointer) throws(DatabaseError) {
    if count + places.count + key.count + 2 >= SegmentPages.leafSize,
      count > SegmentPages.headerSize
    {
      try endLeaf()
    }
    reserve(key.count + SegmentPages.slack)
    Varint.append(UInt64(count - lastPlace), to: &places)
    lastPlace = count
    var shared = 0
    let most = min(key.count, self.key.count)
    while shared < most, key[shared] == self.key[shared] { shared += 1 }
    if leafHasKey {
      put(UInt64(shared))
    } else {
      if leaf > 1 {
        // What is behind the last key and not behind this one.
        let beginning = self.key.isEmpty ? key.count : min(key.count, shared + 1)
        try endListed()
        listed = (Array(key[..<beginning]), leaf)
      }
      shared = 0
    }
    put(UInt64(key.count - shared))
    put(UnsafeRawBufferPointer(rebasing: key[shared...]))
    self.key.removeAll(keepingCapacity: true)
    self.key.append(contentsOf: key)
    leafHasKey = true
    // Only what stands before the first key of a leaf is its first document.
    leafHasDocument = true
    isFirstDocument = true
    indexes[0].page = leaf
  }

  /// Appends a document of the key, which is behind all before: its number, and bytes of positions.
  mutating func append(
    _ document: Int64, _ positions: UnsafeBufferPointer<UInt8>
  ) throws(DatabaseError) {
    if count + places.count >= SegmentPages.leafSize { try endLeaf() }
    reserve(SegmentPages.slack)
    if leafHasDocument {
      put(UInt64(bitPattern: isFirstDocument ? document : document - lastDocument))
    } else {
      buffer[0] = UInt8(truncatingIfNeeded: count >> 8)
      buffer[1] = UInt8(truncatingIfNeeded: count)
      try note(document)
      put(UInt64(bitPattern: document))
    }
    lastDocument = document
    isFirstDocument = false
    leafHasDocument = true
    put(UInt64(positions.count) * 2)
    try put(positions)
  }

  /// Ends the segment; gives how many leaves it has.
  mutating func finish() throws(DatabaseError) -> Int {
    if count > SegmentPages.headerSize { try endLeaf() }
    if leaf > 1 { try endListed() }
    return leaf - 1
  }

  /// Positions go over leaves, each of their numbers on one.
  private mutating func put(_ positions: UnsafeBufferPointer<UInt8>) throws(DatabaseError) {
    var rest = UnsafeRawBufferPointer(positions)
    while count + places.count + rest.count >= SegmentPages.leafSize {
      let room = SegmentPages.leafSize - count - places.count
      var size = 0
      while size < room, size < rest.count {
        while size < rest.count - 1, rest[size] >= 0x80 { size += 1 }
        size += 1
      }
      reserve(size)
      put(UnsafeRawBufferPointer(rebasing: rest[..<size]))
      rest = UnsafeRawBufferPointer(rebasing: rest[size...])
      try endLeaf()
    }
    put(rest)
  }

  private mutating func endLeaf() throws(DatabaseError) {
    buffer[2] = UInt8(truncatingIfNeeded: count >> 8)
    buffer[3] = UInt8(truncatingIfNeeded: count)
    if leafHasKey {
      reserve(places.count)
      places.withUnsafeBytes { put($0) }
    } else {
      if !leafHasDocument, !indexes[0].bytes.isEmpty { indexes[0].bytes.append(0) }
      leavesWithoutKey += 1
    }
    try sink.keep(
      UnsafeRawBufferPointer(start: buffer, count: count),
      at: SegmentPages.leaf(leaf, of: segment))
    buffer.update(repeating: 0, count: SegmentPages.headerSize)
    count = SegmentPages.headerSize
    places.removeAll(keepingCapacity: true)
    lastPlace = 0
    leaf += 1
    (leafHasKey, leafHasDocument) = (false, false)
  }

  /// Writes what is known of the last leaf that begins with a key, and of the documents of its last key.
  private mutating func endListed() throws(DatabaseError) {
    guard let (key, leaf) = listed else { return }
    let isLong = !indexes[0].bytes.isEmpty && leavesWithoutKey >= SegmentPages.fewestLeaves
    for (height, index) in indexes.enumerated() where isLong && !index.bytes.isEmpty {
      try keep(index, height)
    }
    for height in indexes.indices { indexes[height] = DocumentIndex(page: indexes[height].page) }
    leavesWithoutKey = 0
    try sink.keep(key[...], leaf: leaf, hasDocumentIndex: isLong)
    listed = nil
  }

  private mutating func keep(_ index: DocumentIndex, _ height: Int) throws(DatabaseError) {
    let id = SegmentPages.documentIndex(index.page, height: height, of: segment)
    var result: Result<Void, DatabaseError> = .success(())
    index.bytes.withUnsafeBytes { bytes in
      result = Result { () throws(DatabaseError) in try sink.keep(bytes, at: id) }
    }
    try result.get()
  }

  /// Notes the first document of a leaf.
  private mutating func note(_ document: Int64) throws(DatabaseError) {
    var height = 0
    while true {
      var isDone = true
      if indexes[height].bytes.count >= SegmentPages.leafSize {
        isDone = false
        // There is one above from now on.
        indexes[height].bytes[0] = 1
        try keep(indexes[height], height)
        if height + 1 == indexes.count { indexes.append(DocumentIndex()) }
        if indexes[height + 1].bytes.isEmpty {
          let first = indexes[height].first
          indexes[height + 1].page = indexes[height].page
          indexes[height + 1].first = first
          indexes[height + 1].previous = first
          indexes[height + 1].bytes = [0]
          Varint.append(UInt64(indexes[height].page), to: &indexes[height + 1].bytes)
          Varint.append(UInt64(bitPattern: first), to: &indexes[height + 1].bytes)
        }
        indexes[height] = DocumentIndex(page: indexes[height].page + 1)
      }
      if let previous = indexes[height].previous {
        Varint.append(UInt64(bitPattern: document - previous), to: &indexes[height].bytes)
      } else {
        let page = height == 0 ? leaf : indexes[height - 1].page
        indexes[height].bytes = [isDone ? 0 : 1]
        Varint.append(UInt64(page), to: &indexes[height].bytes)
        Varint.append(UInt64(bitPattern: document), to: &indexes[height].bytes)
        indexes[height].first = document
      }
      indexes[height].previous = document
      if isDone { return }
      height += 1
    }
  }

  // MARK: Bytes

  private mutating func reserve(_ more: Int) {
    guard count + more > capacity else { return }
    let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: count + more + SegmentPages.slack)
    larger.update(from: buffer, count: count)
    buffer.deallocate()
    buffer = larger
    capacity = count + more + SegmentPages.slack
  }

  private mutating func put(_ value: UInt64) { count += Varint.put(value, to: buffer + count) }

  private mutating func put(_ bytes: UnsafeRawBufferPointer) {
    guard let start = bytes.baseAddress else { return }
    UnsafeMutableRawPointer(buffer + count).copyMemory(from: start, byteCount: bytes.count)
    count += bytes.count
  }
}
