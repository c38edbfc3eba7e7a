internal import EditorKit
package import MarketViewModels
package import TerminalKit

/// How a layer looks and what keys and mouse do to it: the whole of a screen or dialog in one type.
package protocol LayerView {
  associatedtype Model: Layer

  /// Every key that works here, with its words and what it does: keys, footer, help, man page,
  /// `"keys"` of the settings and completion are made of it.
  static var bindings: [Binding<Self>] { get }
  /// The views that can be opened from this one.
  static var opens: [any LayerView.Type] { get }
  /// Whether `"keys"` of the settings count here: where letters are commands.
  static var takesOwnKeys: Bool { get }

  var frame: Frame { get }
  var model: Model { get }

  /// Whether it covers everything between the bars, so that nothing below is drawn.
  var coversBody: Bool { get }
  /// Whether what it does not take reaches the layer below.
  var passesInput: Bool { get }
  /// Whether letters are text here; otherwise keys of the Hangul layout stand for the Latin ones.
  var isText: Bool { get }
  /// Whether digits before a move count.
  var takesCounts: Bool { get }

  /// Tells its model what fits; runs once before a frame, which changes nothing.
  func layOut()
  func draw(on canvas: inout Canvas)
  /// The pictures it wants: what is visible first, then what the next keys show.
  var wants: [PictureWant] { get }
  /// Offers a key to the text that has the focus; true where that took it.
  func edit(_ key: KeyPress) -> Bool
  /// Takes pasted text; true where it had a place.
  func paste(_ text: String) -> Bool
  /// A click between the bars; true where it was for this layer.
  func press(at point: CellPoint) -> Bool
  /// The wheel, by notches, down positive; true where something here scrolls.
  func scroll(by notches: Int) -> Bool
}

extension LayerView {
  package static var opens: [any LayerView.Type] { [] }
  package static var takesOwnKeys: Bool { true }

  package var coversBody: Bool { false }
  package var passesInput: Bool { false }
  package var isText: Bool { false }
  package var takesCounts: Bool { false }

  package func layOut() {}
  package var wants: [PictureWant] { [] }
  package func edit(_ key: KeyPress) -> Bool { false }
  package func paste(_ text: String) -> Bool { false }
  package func press(at point: CellPoint) -> Bool { false }
  package func scroll(by notches: Int) -> Bool { false }
}

/// A layer with its view; the conformance stands beside the view, and nothing lists them.
package protocol ViewedLayer: Layer {
  associatedtype View: LayerView
  func view(in frame: Frame) -> View
}
