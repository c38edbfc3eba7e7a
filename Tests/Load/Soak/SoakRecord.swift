import Glibc
import TerminalTestSupport

/// What a settled terminal shows.
struct SoakPicture: Equatable {
  let lines: [String]
  /// The pixels of cells under pictures, by row and column.
  let painted: [[Int]: [[Int]]]

  init(of session: TerminalSession) {
    lines = session.screen.lines
    painted = session.pictures.painted
  }

  /// Where another one is different, in words.
  func differences(to other: SoakPicture) -> [String] {
    var words: [String] = []
    for (row, (old, new)) in zip(lines, other.lines).enumerated() where old != new {
      words += ["row \(row) was \(old)", "row \(row) is  \(new)"]
    }
    let places = Set(painted.keys).union(other.painted.keys)
    let changed = places.count { painted[$0] != other.painted[$0] }
    return changed == 0 ? words : words + ["\(changed) cells under pictures"]
  }
}

/// What a run has seen.
struct SoakRecord {
  private static let remembered = 60

  private(set) var actions = 0
  var reopened = 0
  /// Pauses in which the screen never came to rest.
  var restless = 0
  var maxResponseSize = Duration.zero
  private var comparisons = 0
  /// How the first screen that was unlike a fresh one differed, and what led there.
  private(set) var difference: [String] = []
  private var last: [String] = []
  /// Resident kilobytes of each process, as time went by.
  private var memory: [[Int]] = [[]]

  mutating func note(_ action: String) {
    actions += 1
    last = last.suffix(Self.remembered - 1) + [action]
  }

  mutating func compare(_ before: SoakPicture, _ after: SoakPicture) {
    comparisons += 1
    guard difference.isEmpty, before != after else { return }
    difference = before.differences(to: after) + ["after:"] + last
  }

  mutating func startMemory() { memory.append([]) }

  mutating func addMemory(of process: pid_t) {
    if let resident = ProcessInformation(of: process).residentKilobytes {
      memory[memory.count - 1].append(resident)
    }
  }

  /// The pictures that are kept, which a window of unusual size may bring late.
  private static let pictureKilobytes = 24 << 10

  /// Whether the last third of each process's life needs about as much memory as the middle; the first
  /// is where caches fill.
  var isMemoryFlat: Bool {
    memory.allSatisfy { kilobytes in
      let third = kilobytes.count / 3
      guard third > 2 else { return true }
      let early = kilobytes[third..<(2 * third)].sorted()[third / 2]
      let late = kilobytes.suffix(third).sorted()[third / 2]
      return late < early * 5 / 4 + Self.pictureKilobytes
    }
  }

  /// What was done last, the latest at the end.
  var lastActions: String { last.joined(separator: "\n") }

  var summary: String {
    let kilobytes = memory.joined()
    return
      ([
        "\(actions) actions, \(reopened) times quit and opened again, \(restless) restless pauses",
        "longest answer \(maxResponseSize)",
        "\(comparisons) screens compared, \(difference.isEmpty ? "all like" : "not all like") fresh ones",
        "resident kilobytes at most \(kilobytes.max() ?? 0)",
      ] + difference).joined(separator: "\n")
  }
}
