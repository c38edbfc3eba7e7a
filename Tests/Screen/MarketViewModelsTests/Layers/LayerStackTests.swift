import Expectations
import MarketViewModels
import Testing

/// Layers that come and go under others.
struct LayerStackTests {
  private final class Sheet: Layer {
    var closings = 0
    func didClose() { closings += 1 }
  }

  private let ground = Sheet()
  private let form = Sheet()
  private let help = Sheet()
  private let question = Sheet()

  private func stack(_ layers: Sheet...) -> LayerStack {
    let stack = LayerStack(bottom: ground)
    for layer in layers { stack.push(layer) }
    return stack
  }

  @Test func `a layer comes directly over another one, under what lies over that`() {
    let stack = stack(form, help)

    stack.push(question, over: form)

    #expect(stack.top === help && stack.below(help) === question && stack.below(question) === form)
  }

  @Test func `a layer that closes takes along what lies over it, and each learns it once`() {
    let stack = stack(form, help)

    stack.close(form)
    stack.close(form)

    #expect(stack.top === ground)
    expect([form, help, ground].map(\.closings), [1, 1, 0])
  }

  @Test func `a layer that is removed leaves what lies over it`() {
    let stack = stack(form, help)

    stack.remove(form)

    #expect(stack.top === help && [form, help].map(\.closings) == [1, 0])
  }
}
