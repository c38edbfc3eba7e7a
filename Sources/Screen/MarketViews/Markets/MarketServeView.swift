import MarketStrings
package import MarketViewModels
internal import SafeTextKit
package import TerminalKit

extension MarketServeModel: ViewedLayer {
  package func view(in frame: Frame) -> MarketServeView {
    MarketServeView(model: self, frame: frame)
  }
}

/// Dialog on serving a market: the command, and whether a server listens at the address already.
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
  /// Columns of the box's frame and margins.
  private static let frameColumns = 4

  private var box: Box {
    Box(
      title: context.strings[.marketServeTitle], columns: columns + Self.frameColumns,
      rows: lines.count, in: frame.body, context)
  }

  /// Columns of a line; the command is not wrapped where the window has room.
  private var columns: Int {
    let wanted = max(Self.columns, model.command.columns + Self.frameColumns)
    return max(1, min(wanted, frame.body.columns - 2) - Self.frameColumns)
  }

  /// Command, state of the address, and next step.
  private var lines: [(text: SafeText, style: Style)] {
    let theme = context.theme
    let columns = columns
    let wrapped = { (text: SafeText, style: Style) in
      text.wrapped(toColumns: columns).map { (text: $0, style: style) }
    }
    return command.map { ($0, theme.strong) } + wrapped(state.text, state.style)
      + wrapped(context.strings[.serveNextStep], theme.secondary)
  }

  /// Command in lines that a shell joins.
  private var command: [SafeText] {
    let end: SafeText = " \\"
    guard model.command.columns > columns else { return [model.command] }
    let lines = model.command.wrapped(toColumns: max(1, columns - end.columns))
    return lines.dropLast().map { $0 + end } + lines.suffix(1)
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
