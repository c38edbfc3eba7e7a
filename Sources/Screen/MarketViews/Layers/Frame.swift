import MarketStrings
package import MarketViewModels
internal import SafeTextKit
package import TerminalKit

/// Context of all views of one frame: navigator, layout and style.
///
/// It is a class because views are copied for every row whose conditions are evaluated.
package final class Frame {
  package let navigator: Navigator
  package let layout: ScreenLayout
  package let context: RenderContext
  /// Facts about the chosen product on which keys and footer depend; computed once.
  package private(set) lazy var chosen = navigator.chosenFacts

  package init(navigator: Navigator, layout: ScreenLayout, context: RenderContext) {
    self.navigator = navigator
    self.layout = layout
    self.context = context
  }

  /// Area between the bars.
  package var body: CellRect { layout.body }

  /// Layout of the open form; nil without one.
  var formLayout: FormLayout? {
    navigator.selling?.form.map { FormLayout(body, form: $0.form, context) }
  }

  /// Area below the photos of an open form; the body without one.
  var belowPhotos: CellRect { formLayout?.belowPhotos(in: body) ?? body }

  /// Name of the market in dialogs.
  var marketName: SafeText { navigator.marketTitle ?? context.strings[.marketLocal] }

  package var gallery: PictureGallery { navigator.gallery }

  /// Returns the view of a layer; nil for a layer without a view, which is a programming error.
  func view(of layer: any Layer) -> (any LayerView)? {
    let view = (layer as? any ViewedLayer)?.view(in: self)
    assert(view != nil, "\(type(of: layer)) has no view")
    return view
  }

  /// Returns the view below a layer; nil for the lowest layer.
  func view(below layer: any Layer) -> (any LayerView)? {
    navigator.stack.below(layer).flatMap(view(of:))
  }
}
