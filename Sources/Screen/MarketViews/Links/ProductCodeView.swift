internal import MarketModel
import MarketStrings
package import MarketViewModels
internal import SafeTextKit
package import TerminalKit

extension ProductCodeModel: ViewedLayer {
  package func view(in frame: Frame) -> ProductCodeView {
    ProductCodeView(model: self, frame: frame)
  }
}

/// QR code of a product's page with its address.
package struct ProductCodeView: LayerView {
  package let model: ProductCodeModel
  package let frame: Frame

  package static let bindings = BindingTable<ProductCodeView>([
    SharedBindings.back([.escape, "q", "#", .enter, .backspace], footer: 10),
    SharedBindings.quit(),
  ])

  package var coversBody: Bool { true }
  package var title: WindowTitle? { WindowTitle(model.product.name, trail: true) }

  package func draw(on canvas: inout Canvas) {
    let address = model.address.text
    let block = CodeBlock(address, in: frame.body.inset(left: ScreenLayout.margin), context)
    block.draw(on: &canvas)
    let text = block.text.inset(top: 1, right: ScreenLayout.margin)
    let head = context.strings[block.hasCode ? .codeScan : .telephoneType]
    let lines =
      head.wrapped(toColumns: max(1, text.columns)).map { ($0, context.theme.strong) }
      + [(.empty, .plain)]
      + SafeText(address).wrapped(toColumns: max(1, text.columns)).map {
        ($0, context.theme.accent)
      }
    for (row, line) in lines.prefix(text.rows).enumerated() {
      canvas.write(line.0, at: text.row(row).origin, style: line.1)
    }
    canvas.setCursor(at: text.origin, isVisible: false)
  }
}
