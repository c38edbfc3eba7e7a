package import MarketModel
package import SafeTextKit

/// The palette: what is looked for among everything that the program can do.
package final class PaletteModel: LineLayer, ListModel {
  /// What the palette shows of one thing that it finds.
  package nonisolated struct Line: Hashable, Identifiable, Sendable {
    /// Its name, the same in every run: what counts how often it was chosen.
    package let id: String
    package let words: SafeText
    /// The keys that do the same.
    package let keys: SafeText
    /// Why it cannot be done now; nil where it can.
    package let obstacle: SafeText?

    package init(id: String, words: SafeText, keys: SafeText, obstacle: SafeText?) {
      (self.id, self.words, self.keys, self.obstacle) = (id, words, keys, obstacle)
    }
  }

  package let list = SectionedList<Never, Line>()
  /// The searches that have a name, once they have been read.
  @Observed package private(set) var savedSearches: [SavedSearch] = []
  /// What may be set of the program and its looks.
  package let settings: [SettingRow]

  package init(personal: (any PersonalDataStore)? = nil, settings: [SettingRow] = []) {
    self.settings = settings
    guard let personal else { return }
    Task.immediate { [weak self] in
      let searches = await personal.savedSearches()
      if !searches.isEmpty { self?.savedSearches = searches }
    }
  }
}

extension PaletteModel {
  /// Opens the palette; where it is open, closes it.
  package static func toggle(on navigator: Navigator) {
    let (stack, program) = (navigator.stack, navigator.program)
    if let open = stack.first(PaletteModel.self) { return stack.close(open) }
    let settings = program.settings?.rows.filter { [.options, .colors].contains($0.section) }
    stack.push(PaletteModel(personal: program.personal, settings: settings ?? []))
  }
}

/// How often each entry of the palette was chosen in this run: what is used much comes first.
package final class PaletteUsage {
  private var counts: [String: Int] = [:]

  package init() {}

  package func count(of entry: String) -> Int { counts[entry] ?? 0 }

  package func didChoose(_ entry: String) { counts[entry, default: 0] += 1 }
}
