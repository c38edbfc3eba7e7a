import SQLiteKit

/// Merge of segments into one, of which each has later documents than the one before it.
struct SegmentMerge<Sink: SegmentSink>: ~Copyable {
  private var writer: SegmentWriter<Sink>
  private var readers: [SegmentReader] = []
  private let segments: [Segment]
  /// Leaves of each segment up to this one are given back.
  private var spent: [Int]
  /// Readers that are at the next key, in their order.
  private var current: [Int] = []
  private var positions: [UInt8] = []

  /// `read` gives the pages of the segments, the oldest of which comes first.
  init(
    _ segments: [Segment], into writer: consuming SegmentWriter<Sink>,
    read: @escaping (Int64) throws(DatabaseError) -> [UInt8]
  ) throws(DatabaseError) {
    self.writer = writer
    self.segments = segments
    spent = segments.map { $0.leaves.lowerBound - 1 }
    for segment in segments {
      readers.append(try SegmentReader(segment.id, leaves: segment.leaves, read: read))
    }
  }

  /// Writes about so many leaves; whether all is done, nil where the segments cannot be merged so.
  mutating func step(_ leaves: Int) throws(DatabaseError) -> Bool? {
    let end = writer.leafCount + leaves
    while writer.leafCount < end {
      findNext()
      guard let first = current.first else { return true }
      var result: Result<Void, DatabaseError> = .success(())
      readers[first].key.withUnsafeBytes { key in
        result = Result { () throws(DatabaseError) in try writer.begin(key) }
      }
      try result.get()
      guard try takeDocuments() else { return nil }
    }
    return false
  }

  /// Leaves that were read since this was asked last.
  var spentLeaves: [(segment: Int, leaves: ClosedRange<Int>)] {
    mutating get {
      var result: [(segment: Int, leaves: ClosedRange<Int>)] = []
      for number in readers.indices where readers[number].leaf - 1 > spent[number] {
        result.append((segments[number].id, spent[number] + 1...readers[number].leaf - 1))
        spent[number] = readers[number].leaf - 1
      }
      return result
    }
  }

  mutating func finish() throws(DatabaseError) -> Int { try writer.finish() }

  private mutating func findNext() {
    current.removeAll(keepingCapacity: true)
    for number in readers.indices where !readers[number].isAtEnd {
      guard let best = current.first else {
        current.append(number)
        continue
      }
      let order = readers[number].key.withUnsafeBytes { key in
        readers[best].key.withUnsafeBytes { TokenIndex.compare(key, $0) }
      }
      if order < 0 { current.removeAll(keepingCapacity: true) }
      if order <= 0 { current.append(number) }
    }
  }

  /// Writes the documents of the key; false where one is not behind the one before, or is deleted.
  private mutating func takeDocuments() throws(DatabaseError) -> Bool {
    var last = Int64.min
    for number in current {
      positions.removeAll(keepingCapacity: true)
      while try readers[number].nextDocument(appendingTo: &positions) {
        let document = readers[number].document
        guard document > last, !readers[number].isDeletion else { return false }
        var result: Result<Void, DatabaseError> = .success(())
        positions.withUnsafeBufferPointer { positions in
          result = Result { () throws(DatabaseError) in try writer.append(document, positions) }
        }
        try result.get()
        last = document
        positions.removeAll(keepingCapacity: true)
      }
      try readers[number].nextTerm()
    }
    return true
  }
}
