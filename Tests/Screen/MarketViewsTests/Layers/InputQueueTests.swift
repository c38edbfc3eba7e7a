import Expectations
import MarketViewModels
import MarketViews
import TerminalKit
import TestSupport
import Testing

/// Input that waits, and what does not.
struct InputQueueTests {
  private func queue(_ events: InputEvent...) -> InputQueue {
    var queue = InputQueue()
    for event in events { queue.append(event) }
    return queue
  }

  /// Everything that can be taken now.
  private func taken(_ queue: InputQueue, on stack: LayerStack) -> [InputQueue.Input] {
    var queue = queue
    var taken: [InputQueue.Input] = []
    while let input = queue.next(for: stack) { taken.append(input) }
    return taken
  }

  private final class Loading: Layer {
    var holdsKeys: Bool { true }
  }

  private func loading() -> LayerStack {
    let stack = Stage().navigator.stack
    stack.push(Loading())
    return stack
  }

  @Test func `keys, pastes and clicks keep their order, a reply of the terminal is none of them`() {
    let click = MouseEvent(.press, at: CellPoint(column: 1, row: 1))
    let queue = queue(.key("j"), .reply(.attributes([4])), .paste("k"), .focus(true), .mouse(click))

    expect(taken(queue, on: Stage().navigator.stack), [.key("j"), .paste("k"), .mouse(click)])
  }

  @Test func `the parts of a syllable come before what was typed after it`() {
    var queue = queue(.key("x"))
    queue.prepend(["e", "y"])

    expect(taken(queue, on: Stage().navigator.stack), [.shortcut("e"), .shortcut("y"), .key("x")])
  }

  @Test func `input waits while what lies on top is loaded`() {
    #expect(taken(queue(.key("j"), .paste("k")), on: loading()).isEmpty)
  }

  @Test(arguments: [KeyPress.escape, .control("c")])
  func `a key that leaves what is loaded forgets what was typed before it`(key: KeyPress) {
    let queue = queue(.key("j"), .key(key), .key("k"))

    expect(taken(queue, on: loading()), [.key(key)])
  }

  @Test func `while a flow is turning not even Esc leaves the queue`() async throws {
    let stage = try await SellingScreen.edit.stage()
    stage.press(.enter)
    #expect(stage.navigator.stack.isTurning)

    #expect(taken(queue(.key(.escape), .key("j")), on: stage.navigator.stack).isEmpty)
  }
}
