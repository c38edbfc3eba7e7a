internal import MarketModel

/// The time that is left for one picture, and whether anybody still waits for it.
struct DecodingBudget {
  private let deadline: ContinuousClock.Instant

  init(_ limits: DecodingLimits) {
    deadline = .now + limits.time
  }

  /// To be asked between stages, and between rows where a decoder lets one.
  func check() throws(PictureError) {
    if Task.isCancelled { throw .cancelled }
    if ContinuousClock.now > deadline { throw .tooLarge }
  }
}
