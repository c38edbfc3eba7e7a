package import MarketModel
package import SafeTextKit

/// Palette: a search among all commands, settings and saved searches.
package final class PaletteModel: LineLayer, ListModel {
  /// One result of the palette.
  package nonisolated struct Line: Hashable, Identifiable, Sendable {
    /// Name of the entry, the same in every run, under which its uses are counted.
    package let id: String
    package let words: SafeText
    /// Keys of the same command.
    package let keys: SafeText
    /// Reason why it is not available now; nil if it is.
    package let obstacle: SafeText?

    package init(id: String, words: SafeText, keys: SafeText, obstacle: SafeText?) {
      (self.id, self.words, self.keys, self.obstacle) = (id, words, keys, obstacle)
    }
  }

  package let list = SectionedList<Never, Line>()
  /// Saved searches; empty until they are read.
  @Observed package private(set) var savedSearches: [SavedSearch] = []
  /// Settings of program and colors.
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
  /// Opens the palette, or closes it if it is open.
  package static func toggle(on navigator: Navigator) {
    let (stack, program) = (navigator.stack, navigator.program)
    if let open = stack.first(PaletteModel.self) { return stack.close(open) }
    let settings = program.settings?.rows.filter { [.options, .colors].contains($0.section) }
    stack.push(PaletteModel(personal: program.personal, settings: settings ?? []))
  }
}

/// Use counts of the palette's entries in this run; frequent ones come first.
package final class PaletteUsage {
  private var counts: [String: Int] = [:]

  package init() {}

  package func count(of entry: String) -> Int { counts[entry] ?? 0 }

  package func didChoose(_ entry: String) { counts[entry, default: 0] += 1 }
}
