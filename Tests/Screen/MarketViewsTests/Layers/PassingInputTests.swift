import Expectations
import MarketModel
import MarketStrings
import MarketViewModels
import MarketViews
import TerminalKit
import TestSupport
import Testing

/// A layer that takes one key and lets everything else through.
struct PassingInputTests {
  private final class CoveringLayer: Layer, ViewedLayer {
    let passesInput: Bool
    var isTouched = false

    init(passesInput: Bool) { self.passesInput = passesInput }

    func view(in frame: Frame) -> VeilView { VeilView(model: self, frame: frame) }
  }

  private struct VeilView: LayerView {
    let model: CoveringLayer
    let frame: Frame

    static let bindings = BindingTable<VeilView>(
      [
        Binding("touch", ["t"], .keyChoose, footer: 1) { $0.model.isTouched = true }
      ])

    var passesInput: Bool { model.passesInput }

    func draw(on canvas: inout Canvas) {}
  }

  private func stage(_ veil: CoveringLayer) async throws -> Stage {
    let stage = Stage()
    try await stage.show(Product.samples([2, 1]))
    stage.navigator.stack.push(veil)
    return stage
  }

  @Test func `what a layer does not take reaches the next one, what it takes does not`()
    async throws
  {
    let veil = CoveringLayer(passesInput: true)
    let stage = try await stage(veil)

    stage.press("t", "j")
    stage.click(4, 1)

    #expect(veil.isTouched)
    expect(stage.browser.viewport.selected, 0)
    #expect(stage.top === veil)
  }

  @Test func `a layer that keeps input leaves nothing to the next one`() async throws {
    let veil = CoveringLayer(passesInput: false)
    let stage = try await stage(veil)

    stage.press("t", "j")
    stage.click(4, 2)

    #expect(veil.isTouched)
    expect(stage.browser.viewport.selected, 0)
  }

  @Test func `what lies below is drawn, and the footer offers the keys of the top`() async throws {
    let stage = try await stage(CoveringLayer(passesInput: true))

    let lines = stage.lines(80, 24, .english)

    #expect(lines[1].contains("Product 2"))
    expect(lines[23], " t Choose")
  }
}
