internal import MarketModel
import MarketStrings
internal import MarketViewModels
internal import SafeTextKit

/// Entry of the palette, found by its name.
struct PaletteEntry {
  let line: PaletteModel.Line
  /// Further names: that in the other language, and that of the settings file.
  private let otherNames: [String]
  let run: () -> Void

  /// Further search words by entry name; read at the first input.
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

  /// Match with a typed text, and whether the names rather than the search words match; nil without a
  /// match.
  private func match(_ text: String) -> (FuzzyMatch, isByName: Bool)? {
    let names = ([line.words.string] + otherNames).map { FuzzyText($0) }
    let byName = FuzzyMatch.best(of: text, in: names)
    guard let words = Self.otherWords[line.id],
      let byWords = FuzzyMatch.best(of: text, in: names + [words]),
      byName.map({ $0 < byWords }) ?? true
    else { return byName.map { ($0, true) } }
    return (byWords, false)
  }

  /// Returns the entries that match a text, ordered by match, then by name before search words, then
  /// available ones first, then by usage, then by position.
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

/// Source of palette entries other than commands; each is listed in `PaletteEntries.sources`.
@MainActor protocol PaletteSource {
  /// Permission that a guest over ssh needs for the entries; nil excludes guests.
  static var guestPermission: GuestPermission? { get }
  /// Returns the entries for the shown market; `obstacle` is the reason why the list cannot be changed,
  /// as with an open form, or nil.
  static func entries(in frame: Frame, obstacle: Phrase?) -> [PaletteEntry]
}

extension PaletteSource {
  static var guestPermission: GuestPermission? { nil }

  /// Returns an entry named by a phrase with a value, in both languages.
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
  /// Texts of the language that is not the user's.
  var otherStrings: Strings {
    switch strings.language {
    case .korean: Strings(.english)
    case .english: Strings(.korean)
    }
  }
}
