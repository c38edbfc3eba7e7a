import MarketStrings
package import MarketViewModels
internal import SafeTextKit
package import TerminalKit

/// Surroundings that all views of one frame share: the navigator, where the window's parts lie, and
/// the looks.
///
/// One object, as views are copied for every row that is asked whether it applies.
package final class Frame {
  package let navigator: Navigator
  package let layout: ScreenLayout
  package let context: RenderContext
  /// What keys and footer depend on of the chosen product, found once.
  package private(set) lazy var chosen = navigator.chosenFacts

  package init(navigator: Navigator, layout: ScreenLayout, context: RenderContext) {
    self.navigator = navigator
    self.layout = layout
    self.context = context
  }

  /// Everything between the bars.
  package var body: CellRect { layout.body }

  /// What stands where in the form that is open; nil where there is none.
  var formLayout: FormLayout? {
    navigator.selling?.form.map { FormLayout(body, form: $0.form, context) }
  }

  /// What an open form leaves below its photos; the body where there is none.
  var belowPhotos: CellRect { formLayout?.belowPhotos(in: body) ?? body }

  /// What the market is called where something is asked about it.
  var marketName: SafeText { navigator.marketTitle ?? context.strings[.marketLocal] }

  package var gallery: PictureGallery { navigator.gallery }

  /// The layer's view; nil where a layer has none, which is a mistake of the program.
  func view(of layer: any Layer) -> (any LayerView)? {
    let view = (layer as? any ViewedLayer)?.view(in: self)
    assert(view != nil, "\(type(of: layer)) has no view")
    return view
  }

  /// The view under a layer; nil for the products.
  func view(below layer: any Layer) -> (any LayerView)? {
    navigator.stack.below(layer).flatMap(view(of:))
  }
}
