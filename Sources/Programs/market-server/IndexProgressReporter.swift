import CommandKit
import MarketModel
import MarketStrings
import SafeTextKit

/// Reporter of the search index's update, on standard error.
struct IndexProgressReporter {
  private static let pause = Duration.seconds(1)
  /// Percentage between two lines.
  private static let step = 10

  let indexing: IndexingProgress
  let strings: Strings

  /// Reports until the index is up to date, or the task is cancelled.
  func run() async {
    guard indexing.present != nil else { return }
    var next = 0
    while !Task.isCancelled, let share = indexing.present {
      let percent = Int(share * 100)
      if percent >= next {
        Console.warn(strings(.indexing, SafeText(String(percent))))
        next = (percent / Self.step + 1) * Self.step
      }
      try? await Task.sleep(for: Self.pause)
    }
    if !Task.isCancelled { Console.warn(strings[.indexed]) }
  }
}
