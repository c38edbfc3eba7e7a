internal import MarketModel
import MarketStrings
internal import MarketViewModels
internal import SafeTextKit

/// Something that the palette finds by its name and does.
struct PaletteEntry {
  /// The same in every run: what counts how often it was chosen.
  let name: String
  let words: SafeText
  /// By what else it is found: its name in the other language and in a settings file.
  var otherNames: [String] = []
  /// The keys that do the same.
  var keys = SafeText.empty
  /// Why it cannot be done now; nil where it can.
  var obstacle: SafeText?
  let run: () -> Void

  /// How well it fits what was typed; nil where it does not.
  private func match(_ text: String) -> FuzzyMatch? {
    FuzzyMatch.best(of: text, in: ([words.string] + otherNames).map(FuzzyText.init))
  }

  /// The entries that fit a text: the best first, of equal ones what can be done now, then what was
  /// chosen most, then as they stood.
  static func fitting(
    _ text: String, among entries: [PaletteEntry], uses: PaletteUsage
  ) -> [PaletteEntry] {
    let found = entries.enumerated().compactMap { position, entry in
      entry.match(text).map { match in
        let idleness = entry.obstacle == nil ? 0 : 1
        return (entry, rank: [-match.rawValue, idleness, -uses.count(of: entry.name), position])
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
