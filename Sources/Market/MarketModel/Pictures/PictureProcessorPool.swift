import Synchronization

/// Several processors of pictures side by side: each picture goes to the one that has the fewest.
package final class PictureProcessorPool: PictureProcessor {
  private let processors: [any PictureProcessor]
  /// How many pictures each has.
  private let counts: Mutex<[Int]>

  /// Takes one processor at least.
  package init(_ processors: [any PictureProcessor]) {
    precondition(!processors.isEmpty, "nobody would process a picture")
    self.processors = processors
    counts = Mutex(processors.map { _ in 0 })
  }

  package func prepare(_ bytes: [UInt8]) async throws(PictureError) -> PreparedPicture {
    let lane = counts.withLock { counts in
      let lane = counts.indices.min { counts[$0] < counts[$1] } ?? 0
      counts[lane] += 1
      return lane
    }
    defer { counts.withLock { $0[lane] -= 1 } }
    return try await processors[lane].prepare(bytes)
  }
}
