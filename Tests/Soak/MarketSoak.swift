import Glibc
import TerminalTestSupport
import TestSupport

/// Uses the market at random for some minutes, while its server comes and goes, and looks whether it
/// stays alive, quick, truly drawn and small: `market-soak [MINUTES [SEED]]`.
@main enum MarketSoak {
  static func main() {
    let words = CommandLine.arguments.dropFirst().map { Double($0) ?? 0 }
    let minutes = words.first ?? 10
    let seed = words.count > 1 ? UInt64(words[1]) : UInt64(time(nil))
    print("seed \(seed), \(minutes) minutes")
    do {
      let run = try SoakRun(seed: seed, duration: .seconds(Int64(minutes * 60)))
      defer { print(run.record.summary) }
      try run.run()
      guard run.record.isMemoryFlat else { throw BrokenPromise(description: "memory grows") }
      guard run.record.differences.isEmpty else {
        throw BrokenPromise(description: "a screen was unlike a fresh one")
      }
    } catch {
      print("FAILED: \(error)")
      exit(1)
    }
  }
}
