import Glibc
import TerminalTestSupport

/// What a run has seen.
struct SoakRecord {
  var actions = 0
  var reopened = 0
  var comparisons = 0
  /// Screens that were not as they are when drawn anew: before and after.
  var differences: [([String], [String])] = []
  /// Pauses in which the screen never came to rest.
  var restless = 0
  var longestAnswer = Duration.zero
  private var kilobytes: [Int] = []

  mutating func addMemory(of process: pid_t) {
    if let resident = ProcessInformation(of: process).residentKilobytes {
      kilobytes.append(resident)
    }
  }

  /// Whether the last quarter of a run needs about as much memory as the second one; the first is
  /// where caches fill.
  var isMemoryFlat: Bool {
    let quarter = kilobytes.count / 4
    guard quarter > 1 else { return true }
    let early = kilobytes[quarter..<(2 * quarter)].sorted()[quarter / 2]
    let late = kilobytes.suffix(quarter).sorted()[quarter / 2]
    return late < early * 5 / 4 + 16_384
  }

  var summary: String {
    var lines = [
      "\(actions) actions, \(reopened) times quit and opened again, \(restless) restless pauses",
      "longest answer \(longestAnswer)",
      "\(comparisons) screens compared, \(differences.count) unlike a fresh one",
      "resident kilobytes \(kilobytes.first ?? 0) to \(kilobytes.last ?? 0), at most "
        + "\(kilobytes.max() ?? 0)",
    ]
    if let (before, after) = differences.first {
      for (row, (old, new)) in zip(before, after).enumerated() where old != new {
        lines += ["row \(row) was \(old)", "row \(row) is  \(new)"]
      }
    }
    return lines.joined(separator: "\n")
  }
}
