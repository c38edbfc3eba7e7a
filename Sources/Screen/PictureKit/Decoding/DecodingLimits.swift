internal import MarketModel

/// Limits of what decoding one picture may cost; more is refused before anything is allocated.
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

/// Time that is left for one picture, as long as somebody waits for it.
struct DecodingBudget {
  private let deadline: ContinuousClock.Instant

  init(_ limits: DecodingLimits) {
    deadline = .now + limits.time
  }

  /// Throws `.cancelled` or, when the time is over, `.tooLarge`; asked between stages, and between
  /// rows where a decoder lets one.
  func check() throws(PictureError) {
    if Task.isCancelled { throw .cancelled }
    if ContinuousClock.now > deadline { throw .tooLarge }
  }
}
