/// How many bytes of pictures one frame may carry, learnt from how fast the terminal takes them.
///
/// Text never waits behind more than one frame's worth of pictures, so on a slow line that is little.
struct PicturePace {
  private(set) var budget: Int

  private static let range = 16 << 10...1 << 20
  /// Longer than this, a person would notice that a key waits.
  private static let tooLong = Duration.milliseconds(40)
  private static let quick = Duration.milliseconds(8)

  init(isOverSSH: Bool) { budget = isOverSSH ? 32 << 10 : 256 << 10 }

  /// Learns how long the terminal took for a frame with pictures.
  mutating func didWrite(_ count: Int, in duration: Duration) {
    guard count >= budget / 2 else { return }
    if duration > Self.tooLong { budget /= 2 }
    if duration < Self.quick { budget *= 2 }
    budget = min(max(budget, Self.range.lowerBound), Self.range.upperBound)
  }
}
