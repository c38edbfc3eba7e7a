import Glibc
import TerminalTestSupport
import TestSupport

/// Uses the market at random for some minutes, while its server and the line to it fail at random, and
/// looks whether it stays alive, quick, truly drawn and small: `market-soak [MINUTES [SEED]]`.
@main enum MarketSoak {
  static func main() {
    let words = CommandLine.arguments.dropFirst()
    let minutes = words.first.flatMap { Double($0) } ?? 10
    let seed = words.dropFirst().first.flatMap { UInt64($0) } ?? UInt64(time(nil))
    let again = "make soak MINUTES=\(words.first ?? "10") SEED=\(seed)"
    say("seed \(seed), \(minutes) minutes; the same again: \(again)")
    do {
      let run = try SoakRun(seed: seed, duration: .seconds(Int64(minutes * 60)))
      defer { say(run.record.summary) }
      do {
        try run.run()
      } catch {
        say(run.record.lastActions)
        throw error
      }
      guard run.record.isMemoryFlat else { throw UnexpectedError(description: "memory grows") }
      guard run.record.difference.isEmpty else {
        throw UnexpectedError(description: "a screen was unlike a fresh one")
      }
    } catch {
      say("FAILED: \(error)\nThe same again: \(again)")
      exit(1)
    }
  }

  /// Prints at once, also into a file.
  private static func say(_ line: String) {
    print(line)
    fflush(nil)
  }
}
