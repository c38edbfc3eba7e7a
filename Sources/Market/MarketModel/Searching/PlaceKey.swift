internal import SafeTextKit

/// A place as it is searched: in one case and one form of its letters, so that the beginning `seoul` finds
/// `Seoul, Mapo`.
package struct PlaceKey: Hashable, Sendable {
  package let text: String

  package init(_ place: String) {
    text = TextLimit.place.cut(place).folded
  }

  /// A text behind all that begin with this one, in the order of their bytes.
  package var end: String { text + "\u{10FFFF}" }

  package func begins(with beginning: PlaceKey) -> Bool {
    text.utf8.starts(with: beginning.text.utf8)
  }
}
