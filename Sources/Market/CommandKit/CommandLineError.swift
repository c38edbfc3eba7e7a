import MarketStrings
import SafeTextKit

/// Error in a command line.
package enum CommandLineError: Error, Hashable, Sendable {
  /// `meant` is the nearest known option or command; nil for none.
  case unknownOption(String, meant: String? = nil)
  case unknownCommand(String, meant: String? = nil)
  case missingValue(String)
  case badValue(option: String, value: String, expected: Expectation, meant: String? = nil)
  case unexpectedArgument(String)
  /// The word, with U+FFFD in place of bytes that are not UTF-8.
  case notUTF8(String)
  case missingArgument(String)
  /// An option that the command, named with its program, does not take.
  case optionOfOthers(String, command: String)
  /// Two options or words that exclude each other.
  case contradiction(String, String)
  /// An error of one program, with an optional value.
  case said(Phrase, String? = nil)
  /// An error with a count.
  case counted(Phrase, Int)

  /// Returns one sentence, with a suggestion or a reference to the help.
  package func text(_ strings: Strings) -> SafeText {
    switch self {
    case .unknownOption(let name, let meant):
      strings(.usageUnknownOption, SafeText(name), Self.advice(meant, strings))
    case .unknownCommand(let name, let meant):
      strings(.usageUnknownCommand, SafeText(name), Self.advice(meant, strings))
    case .missingValue(let usage), .missingArgument(let usage):
      strings(.usageMissingValue, SafeText(usage))
    case .badValue(let option, let value, let expected, .some(let meant)):
      strings(
        .usageBadWord, SafeText(option), SafeText(value), expected.text(strings),
        Self.advice(meant, strings))
    case .badValue(let option, let value, let expected, nil):
      strings(.usageBadValue, SafeText(option), SafeText(value), expected.text(strings))
    case .unexpectedArgument(let word): strings(.usageUnexpected, SafeText(word))
    case .notUTF8(let word): strings(.usageNotUTF8, SafeText(word))
    case .optionOfOthers(let option, let command):
      strings(.usageOptionOfOthers, SafeText(option), SafeText(command))
    case .contradiction(let first, let second):
      strings(.usageContradiction, SafeText(first), SafeText(second))
    case .counted(let phrase, let count): strings.counted(phrase, count)
    case .said(let phrase, nil): strings[phrase]
    case .said(let phrase, .some(let value)): strings(phrase, SafeText(value))
    }
  }

  /// Returns the suggested word, or a reference to the help.
  private static func advice(_ meant: String?, _ strings: Strings) -> SafeText {
    meant.map { strings(.usageMeant, SafeText($0)) } ?? strings[.usageSeeHelp]
  }
}

/// Suggestion of the word that a mistyped one may mean.
package enum Spelling {
  /// Maximum number of wrong letters, and the letters of a word that allow one of them.
  private static let tolerance = 2
  private static let lettersForOne = 3

  /// Returns the word nearest to a mistyped one, ignoring leading dashes; nil for a number, and where
  /// none is near enough.
  package static func nearest(to typed: String, among words: [String]) -> String? {
    let letters = letters(of: typed)
    guard !letters.allSatisfy(\.isNumber) else { return nil }
    let distances = words.map { (word: $0, distance: distance(letters, Self.letters(of: $0))) }
    guard let best = distances.min(by: { $0.distance < $1.distance }),
      best.distance <= min(tolerance, Self.letters(of: best.word).count / lettersForOne)
    else { return nil }
    return best.word
  }

  private static func letters(of word: String) -> [Character] {
    Array(word.drop { $0 == "-" })
  }

  /// Returns the optimal string alignment distance: letters to change, insert, delete or swap with
  /// their neighbor.
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
