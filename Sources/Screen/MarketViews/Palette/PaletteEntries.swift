import MarketStrings
internal import MarketViewModels
internal import SafeTextKit
internal import TerminalKit

/// Entries of the palette: the commands of all screens, and those of the sources.
struct PaletteEntries {
  static let sources: [any PaletteSource.Type] = [
    OrdersInPalette.self, FiltersInPalette.self, MarketsInPalette.self,
    SearchesInPalette.self, SellersInPalette.self, SettingsInPalette.self, ShellInPalette.self,
    GuestSessionInPalette.self,
  ]

  private let frame: Frame
  /// Layers below the palette, the lowest first.
  private let layers: [any Layer]
  private let views: [any LayerView]

  init(in frame: Frame, below palette: PaletteModel) {
    self.frame = frame
    layers = Array(frame.navigator.stack.layers.prefix { $0 !== palette })
    views = layers.compactMap(frame.view(of:))
  }

  /// Commands of the top screen and those below, entries of the sources, then commands of closed
  /// screens.
  var all: [PaletteEntry] {
    var names: Set<String> = [SharedBindings.paletteName]
    var commands: [PaletteEntry] = []
    for depth in views.indices.reversed() { commands += self.commands(at: depth, new: &names) }
    let obstacle = obstacle(at: 0)
    let guest = frame.navigator.program.guest
    return commands + program
      + Self.sources.filter { guest.offers($0.guestPermission) }.flatMap {
        $0.entries(in: frame, obstacle: obstacle)
      }
      + ViewGraph.market.views.flatMap { view in
        view.paletteDirections.map { elsewhere(view, $0, new: &names) } ?? []
      }
  }

  /// Commands of one screen that no screen above has, in the order of the help.
  private func commands(at depth: Int, new names: inout Set<String>) -> [PaletteEntry] {
    let isTop = depth == views.count - 1
    let obstacle = obstacle(at: depth)
    let rows = views[depth].allRows.filter { row, _ in
      // Moving and going back apply to the top screen only.
      let counts = isTop || (row.group != .move && row.name != "back")
      return !row.isDigits && counts && names.insert(row.name).inserted
    }
    return BindingGroup.allCases.flatMap { group in
      rows.filter { $0.row.group == group }
    }
    .map { row, works in
      let idle = works && row.isPossible ? nil : row.obstacle ?? .paletteNotNow
      return entry(row, obstacle: obstacle ?? idle) {
        if !isTop { frame.navigator.stack.close(layers[depth + 1]) }
        row.run()
      }
    }
  }

  /// Reason why a screen's commands are unavailable: a layer above it takes text, which closing would
  /// lose; nil where there is none.
  private func obstacle(at depth: Int) -> Phrase? {
    let isFree = views[(depth + 1)...].allSatisfy { type(of: $0).takesOwnKeys }
    return isFree ? nil : .paletteCloseFirst
  }

  /// Commands of a closed screen.
  private func elsewhere(
    _ view: any LayerView.Type, _ directions: Phrase, new names: inout Set<String>
  ) -> [PaletteEntry] {
    view.staticRows.filter { row in
      frame.navigator.program.guest.offers(GuestCommands.right(for: row.name))
        && !row.takesDigit && row.group != .move && names.insert(row.name).inserted
    }
    .map { row in
      entry(name: row.name, row.words, row.keys, obstacle: directions) {}
    }
  }

  private var program: [PaletteEntry] {
    let guest = frame.navigator.program.guest
    return ProgramCommand.allCases.filter {
      guest.offers(GuestCommands.right(for: "\($0)"))
    }.map { command in
      entry(name: "\(command)", command.words, [command.key], obstacle: nil) {
        frame.navigator.perform(command)
      }
    }
  }

  private func entry(
    _ row: KeyRow, obstacle: Phrase?, run: @escaping () -> Void
  ) -> PaletteEntry {
    entry(name: row.name, row.words, row.keys, obstacle: obstacle, run: run)
  }

  private func entry(
    name: String, _ words: Phrase, _ keys: [KeyPress], obstacle: Phrase?,
    run: @escaping () -> Void
  ) -> PaletteEntry {
    let context = frame.context
    return PaletteEntry(
      name: name, words: context.strings[words],
      otherNames: [context.otherStrings[words].string, name.replacing("-", with: " ")],
      keys: keys.first.map(context.name) ?? .empty,
      obstacle: obstacle.map { context.strings[$0] }, run: run)
  }
}
