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

extension Navigator {
  package func openPictureMenu() { stack.push(PictureMenuModel(chosen: pictureMode)) }
}
