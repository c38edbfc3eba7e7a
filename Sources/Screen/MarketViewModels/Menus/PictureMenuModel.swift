import Observation

/// The menu of the ways to show pictures.
@Observable
package final class PictureMenuModel: Layer {
  package let modes = PictureMode.allCases
  package private(set) var selected: Int

  package init(chosen: PictureMode) {
    selected = PictureMode.allCases.firstIndex(of: chosen) ?? 0
  }

  /// The way that is selected, but not yet chosen.
  package var mode: PictureMode { modes[selected] }

  package func move(by distance: Int) { select(selected + distance) }

  package func select(_ index: Int) {
    selected = index.clamped(to: 0...modes.count - 1)
  }
}

/// Way to show pictures that the user wants; the raw values are those of the option and the
/// settings file.
package nonisolated enum PictureMode: String, CaseIterable, Hashable, Sendable {
  /// As well as the terminal can.
  case auto
  case kitty
  case sixel
  case iterm2
  /// Block characters, as fine as the terminal's font is known to hold.
  case blocks
  case half
  case quadrant
  case sextant
  /// Dots without colours of the cell's ground.
  case braille
  /// Words in their place.
  case none
}

extension PictureMenuModel {
  package static func open(on navigator: Navigator) {
    navigator.stack.push(PictureMenuModel(chosen: navigator.program.pictureMode))
  }
}
