internal import MarketModel
import MarketStrings
internal import MarketViewModels
internal import SafeTextKit

/// Something that the palette finds by its name and does.
struct PaletteEntry {
  let line: PaletteModel.Line
  /// By what it is found beside its words: its name in the other language and in a settings file.
  private let otherNames: [String]
  let run: () -> Void

  /// Read when something is typed for the first time.
  private static let otherWords = PaletteWords.read().mapValues {
    FuzzyText($0, isWordList: true)
  }

  init(
    name: String, words: SafeText, otherNames: [String] = [], keys: SafeText = .empty,
    obstacle: SafeText? = nil, run: @escaping () -> Void
  ) {
    line = PaletteModel.Line(id: name, words: words, keys: keys, obstacle: obstacle)
    self.otherNames = otherNames
    self.run = run
  }

  /// How well it fits what was typed, and whether by its own names; nil where it does not.
  private func match(_ text: String) -> (FuzzyMatch, isByName: Bool)? {
    let names = ([line.words.string] + otherNames).map { FuzzyText($0) }
    let byName = FuzzyMatch.best(of: text, in: names)
    guard let words = Self.otherWords[line.id],
      let byWords = FuzzyMatch.best(of: text, in: names + [words]),
      byName.map({ $0 < byWords }) ?? true
    else { return byName.map { ($0, true) } }
    return (byWords, false)
  }

  /// The entries that fit a text: the best first, of equal ones what is called so, then what can be
  /// done now, then what was chosen most, then as they stood.
  static func fitting(
    _ text: String, among entries: [PaletteEntry], uses: PaletteUsage
  ) -> [PaletteEntry] {
    let found = entries.enumerated().compactMap { position, entry in
      entry.match(text).map { match, isByName in
        let idleness = entry.line.obstacle == nil ? 0 : 1
        let count = uses.count(of: entry.line.id)
        return (entry, rank: [-match.rawValue, isByName ? 0 : 1, idleness, -count, position])
      }
    }
    return found.sorted { $0.rank.lexicographicallyPrecedes($1.rank) }.map(\.0)
  }
}

/// What the palette finds besides commands; each source is one line of `PaletteEntries.sources`.
@MainActor protocol PaletteSource {
  /// The right that a guest over ssh needs for it; nil is that it is for none.
  static var guestPermission: GuestPermission? { get }
  /// What can be done with the market that is shown. It is told what is in the way of all that changes
  /// the list, as an open form is; nil is nothing.
  static func entries(in frame: Frame, obstacle: Phrase?) -> [PaletteEntry]
}

extension PaletteSource {
  static var guestPermission: GuestPermission? { nil }

  /// An entry named by a phrase with a value, in both languages.
  static func entry(
    _ name: String, _ phrase: Phrase, _ value: (Strings) -> SafeText, obstacle: Phrase?,
    in frame: Frame, run: @escaping () -> Void
  ) -> PaletteEntry {
    let (strings, other) = (frame.context.strings, frame.context.otherStrings)
    return PaletteEntry(
      name: name, words: strings(phrase, value(strings)),
      otherNames: [other(phrase, value(other)).string],
      obstacle: obstacle.map { strings[$0] }, run: run)
  }
}

extension RenderContext {
  /// The words of the language that the program does not speak.
  var otherStrings: Strings {
    switch strings.language {
    case .korean: Strings(.english)
    case .english: Strings(.korean)
    }
  }
}
