/// Which of several words somebody may have meant.
package enum Spelling {
  /// How many letters may be wrong.
  private static let tolerance = 2

  /// The word that is nearest to a mistyped one; nil where none resembles it.
  package static func nearest(to typed: String, among words: [String]) -> String? {
    let distances = words.map { (word: $0, distance: distance(Array(typed), Array($0))) }
    guard let best = distances.min(by: { $0.distance < $1.distance }),
      best.distance <= min(tolerance, best.word.count / 2)
    else { return nil }
    return best.word
  }

  /// How many letters must be changed, added, left out or swapped with their neighbour to make one
  /// word of the other: the optimal string alignment distance.
  private static func distance(_ first: [Character], _ second: [Character]) -> Int {
    var before: [Int] = []
    var last = Array(0...second.count)
    for row in first.indices {
      var line = [row + 1]
      for column in second.indices {
        let cost = first[row] == second[column] ? 0 : 1
        var least = min(last[column] + cost, last[column + 1] + 1, line[column] + 1)
        if row > 0, column > 0, first[row] == second[column - 1], first[row - 1] == second[column] {
          least = min(least, before[column - 1] + 1)
        }
        line.append(least)
      }
      (before, last) = (last, line)
    }
    return last[second.count]
  }
}
