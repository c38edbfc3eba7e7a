import MarketModel
import MarketStrings
import MarketViewModels
import MarketViews
import TerminalKit

/// Appearance of a run: the options and settings that determine how the screen is drawn.
struct Appearance: Hashable {
  var options: MarketOptions
  var colors: CustomColors
  var keys: CustomKeyBindings

  /// Context of the first frame.
  func context(
    on ground: Theme.Ground, _ capabilities: TerminalCapabilities, now: Timestamp
  ) -> RenderContext {
    var context = RenderContext(
      theme: theme(on: ground, capabilities), strings: options.strings, pictures: .none, now: now)
    show(in: &context, on: ground, capabilities)
    return context
  }

  /// Applies the appearance to a context, except for pictures.
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

  /// Theme for a terminal's background, unless the options choose one.
  private func theme(on ground: Theme.Ground, _ capabilities: TerminalCapabilities) -> Theme {
    Theme(
      options.theme.ground ?? ground, scheme: options.isPlain ? .plain : options.theme.scheme,
      colors: colors, strikesThrough: capabilities.canStrikeThrough && !options.isPlain,
      hasShades: capabilities.colorDepth >= .palette256,
      hasColors: capabilities.colorDepth > .none)
  }
}
