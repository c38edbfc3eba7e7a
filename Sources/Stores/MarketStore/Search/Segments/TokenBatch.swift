import SQLiteKit

/// Products of a batch that are to be found, by the tokens of two indexes in memory: one made before
/// their numbers were known, and one of what had to wait for these.
struct TokenBatch: ~Copyable {
  private let main: TokenIndex
  private let added: TokenIndex
  private let mainOrder: [Int]
  private let addedOrder: [Int]
  /// Numbers of the products, by the numbers of documents; nil for those that are not to be found by
  /// an index.
  private let mainIDs: [Int64?]
  private let addedIDs: [Int64?]
  let productCount: Int
  let tokenCount: Int

  /// The numbers rise in both.
  ///
  /// What `added` has of a product stands behind what `main` has of it.
  init(
    _ main: consuming TokenIndex, _ mainIDs: [Int64?], adding added: consuming TokenIndex,
    _ addedIDs: [Int64?]
  ) {
    var main = main
    var added = added
    mainOrder = main.finish()
    addedOrder = added.finish()
    productCount = Set(mainIDs.compactMap(\.self)).union(addedIDs.compactMap(\.self)).count
    // A product's tokens in the second index are counted on from the first.
    var counts: [Int64: Int32] = [:]
    for (place, id) in mainIDs.enumerated() {
      if let id { counts[id] = main.tokenCounts[place] }
    }
    for (place, id) in addedIDs.enumerated() {
      if let id { counts[id] = added.tokenCounts[place] }
    }
    tokenCount = counts.values.reduce(0) { $0 + Int($1) }
    (self.mainIDs, self.addedIDs) = (mainIDs, addedIDs)
    self.main = main
    self.added = added
  }

  /// Writes all of it as one segment.
  func write(to writer: inout SegmentWriter<some SegmentSink>) throws(DatabaseError) {
    var (one, other) = (mainOrder[...], addedOrder[...])
    while !one.isEmpty || !other.isEmpty {
      let order = compare(one.first, other.first)
      let first = order <= 0 ? one.popFirst() : nil
      let second = order >= 0 ? other.popFirst() : nil
      try write(first, second, to: &writer)
    }
  }

  private func compare(_ one: Int?, _ other: Int?) -> Int32 {
    guard let one else { return 1 }
    guard let other else { return -1 }
    return TokenIndex.compare(main.key(one), added.key(other))
  }

  private func write(
    _ first: Int?, _ second: Int?, to writer: inout SegmentWriter<some SegmentSink>
  ) throws(DatabaseError) {
    var one = NumberedDocuments(first.map { main.documents($0) }, mainIDs)
    var other = NumberedDocuments(second.map { added.documents($0) }, addedIDs)
    guard one.id != nil || other.id != nil else { return }
    let key: UnsafeRawBufferPointer
    if let first {
      key = main.key(first)
    } else if let second {
      key = added.key(second)
    } else {
      return
    }
    try writer.begin(key)
    while true {
      switch (one.id, other.id) {
      case (let id?, let next?) where id == next:
        let both = joined(one.positions, other.positions)
        var result: Result<Void, DatabaseError> = .success(())
        both.withUnsafeBufferPointer { both in
          result = Result { () throws(DatabaseError) in try writer.append(id, both) }
        }
        try result.get()
        one.next()
        other.next()
      case (let id?, let next) where next == nil || id < next ?? .max:
        try writer.append(id, one.positions)
        one.next()
      case (_, let id?):
        try writer.append(id, other.positions)
        other.next()
      default: return
      }
    }
  }

  /// Positions that go on behind others: the first of them is told from the last of those.
  private func joined(
    _ positions: UnsafeBufferPointer<UInt8>, _ others: UnsafeBufferPointer<UInt8>
  ) -> [UInt8] {
    var numbers = SegmentStructure.numbers(positions)
    let last = numbers.reduce(0) { $0 + $1 - 2 }
    var following = SegmentStructure.numbers(others)
    if !following.isEmpty { following[0] -= last }
    numbers += following
    return SegmentStructure.bytes(of: numbers)
  }
}

/// Documents of a list by the numbers of their products, without those that have none.
private struct NumberedDocuments {
  private var documents: DocumentReader?
  private let ids: [Int64?]
  private(set) var id: Int64?

  init(_ documents: DocumentReader?, _ ids: [Int64?]) {
    self.documents = documents
    self.ids = ids
    next()
  }

  var positions: UnsafeBufferPointer<UInt8> {
    documents?.positions ?? UnsafeBufferPointer(start: nil, count: 0)
  }

  mutating func next() {
    id = nil
    while id == nil, documents?.next() == true { id = ids[documents?.document ?? 0] }
  }
}
