import MarketModel
import MarketStrings
import MarketViewModels
import MarketViews
import TerminalKit

/// Appearance of a run: what its options and its settings file say together of how the screen is
/// drawn.
struct Appearance: Hashable {
  var options: MarketOptions
  var colors: CustomColors
  var keys: CustomKeyBindings

  /// The context of the first frame.
  func context(
    on ground: Theme.Ground, _ capabilities: TerminalCapabilities, now: Timestamp
  ) -> RenderContext {
    var context = RenderContext(
      theme: theme(on: ground, capabilities), strings: options.strings, pictures: .none, now: now)
    show(in: &context, on: ground, capabilities)
    return context
  }

  /// Changes a context to this appearance; pictures are no part of it.
  func show(
    in context: inout RenderContext, on ground: Theme.Ground, _ capabilities: TerminalCapabilities
  ) {
    context.theme = theme(on: ground, capabilities)
    if context.strings.language != options.strings.language { context.strings = options.strings }
    context.keys = keys
    context.isPlain = options.isPlain
    context.showsCursor = options.isPlain || options.showsCursor
    context.hasASCIISymbols = options.hasASCIISymbols || !capabilities.isUTF8
  }

  /// The theme on a terminal of this ground, unless a ground was asked for.
  private func theme(on ground: Theme.Ground, _ capabilities: TerminalCapabilities) -> Theme {
    Theme(
      options.theme.ground ?? ground, scheme: options.isPlain ? .plain : options.theme.scheme,
      colors: colors, strikesThrough: capabilities.canStrikeThrough && !options.isPlain,
      hasShades: capabilities.colorDepth >= .palette256,
      hasColors: capabilities.colorDepth > .none)
  }
}
