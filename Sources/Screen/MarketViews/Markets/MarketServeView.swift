import MarketStrings
package import MarketViewModels
internal import SafeTextKit
package import TerminalKit

extension MarketServeModel: ViewedLayer {
  package func view(in frame: Frame) -> MarketServeView {
    MarketServeView(model: self, frame: frame)
  }
}

/// How a market is served: the command, and whether something listens there already.
package struct MarketServeView: LayerView {
  package let model: MarketServeModel
  package let frame: Frame

  package static let bindings = BindingTable<MarketServeView>([
    SharedBindings.back([.escape, "q", .enter], footer: 10),
    Binding("copy-command", ["y"], .keyCopyCommand, footer: 20) { $0.model.copy() },
    Binding("refresh", ["r", .control("r"), .function(5)], .keyRefresh, footer: 30) {
      $0.navigator.refresh()
    },
    SharedBindings.quit(),
  ])

  package func draw(on canvas: inout Canvas) {
    let box = box
    box.draw(on: &canvas)
    for (row, line) in lines.prefix(box.content.rows).enumerated() {
      canvas.write(line.text, at: box.content.row(row).origin, style: line.style)
    }
  }

  package func press(at point: CellPoint) -> Bool {
    if !box.rect.contains(point) { close() }
    return true
  }

  private static let columns = 72

  private var box: Box {
    Box(
      title: context.strings[.marketServeTitle], columns: Self.columns, rows: lines.count,
      in: frame.body, context)
  }

  /// The command, what to do with it, and what listens there.
  private var lines: [(text: SafeText, style: Style)] {
    let theme = context.theme
    // The frame and the margins of the box.
    let columns = max(1, min(Self.columns, frame.body.columns - 2) - 4)
    let wrapped = { (text: SafeText, style: Style) in
      text.wrapped(toColumns: columns).map { (text: $0, style: style) }
    }
    return wrapped(model.command, theme.strong) + wrapped(state.text, state.style)
      + wrapped(context.strings[.serveNextStep], theme.secondary)
  }

  private var state: (text: SafeText, style: Style) {
    let (strings, theme) = (context.strings, context.theme)
    let address = SafeText(MarketServeModel.address)
    return switch model.phase {
    case .asking: ("…", theme.secondary)
    case .free: (strings(.serveFree, address), theme.text)
    case .market(let glance):
      (strings(.serveMarket, address, MarketAnswerText.text(glance, strings)), theme.accent)
    case .taken: (strings(.serveTaken, address), theme.warning)
    }
  }
}
