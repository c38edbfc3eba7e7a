import CommandKit
import MarketModel
import MarketStrings
import SafeTextKit

/// What a server says on standard error while its market brings its search index up to date.
struct IndexProgressReporter {
  private static let pause = Duration.seconds(1)
  /// A line for each of so many percent.
  private static let step = 10

  let indexing: IndexingProgress
  let strings: Strings

  /// Returns when nothing is left, or it is cancelled.
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
