/// The menu of the ways to show pictures: a pure value.
package struct PictureMenuModel: Hashable, Sendable {
  package let modes = PictureMode.allCases
  package private(set) var selected: Int

  package init(chosen: PictureMode) {
    selected = PictureMode.allCases.firstIndex(of: chosen) ?? 0
  }

  /// The way that is selected, but not yet chosen.
  package var mode: PictureMode { modes[selected] }

  package mutating func move(by distance: Int) { select(selected + distance) }

  package mutating func select(_ index: Int) {
    selected = index.clamped(to: 0...modes.count - 1)
  }
}
