package import MarketViewModels
package import TerminalKit

/// What every view of one frame shares: the navigator, where the window's parts lie, and the looks.
package struct Frame {
  package let navigator: Navigator
  package let layout: ScreenLayout
  package let context: RenderContext

  package init(navigator: Navigator, layout: ScreenLayout, context: RenderContext) {
    self.navigator = navigator
    self.layout = layout
    self.context = context
  }

  /// Everything between the bars.
  package var body: CellRect { layout.body }
}
