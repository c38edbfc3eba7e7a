/// What decoding one picture may cost; more is refused before anything is allocated.
package struct DecodingLimits: Hashable, Sendable {
  /// Bytes that file, decoder and result may hold together.
  package var memory: Int
  /// Bytes of a file.
  package var fileBytes: Int
  package var time: Duration

  package init(
    memory: Int = 64 << 20, fileBytes: Int = 20_000_000, time: Duration = .seconds(2)
  ) {
    self.memory = memory
    self.fileBytes = fileBytes
    self.time = time
  }
}
