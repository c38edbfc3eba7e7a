package import MarketViewModels
package import TerminalKit

/// Queue of input: keys, pastes and what the mouse does, in the order in which they came.
///
/// It stands while a flow is turning, and while what lies on top is being loaded.
package struct InputQueue {
  package enum Input: Hashable, Sendable {
    case key(KeyPress)
    /// A part of a Hangul syllable that no text took.
    case shortcut(KeyPress)
    case paste(String)
    case mouse(MouseEvent)
  }

  private var inputs: ArraySlice<Input> = []

  /// More than anybody types or one paste without brackets has.
  private static let maxCount = 100_000
  /// The keys that do not wait for what is being loaded.
  private static let leaves: Set<Input> = [.key(.escape), .key(.control("c"))]

  package init() {}

  package var isEmpty: Bool { inputs.isEmpty }

  /// Adds what came last; replies of the terminal and its focus are no input.
  package mutating func append(_ event: InputEvent) {
    guard inputs.count < Self.maxCount else { return }
    switch event {
    case .key(let key): inputs.append(.key(key))
    case .paste(let text): inputs.append(.paste(text))
    case .mouse(let event): inputs.append(.mouse(event))
    case .focus, .reply: break
    }
  }

  /// Puts parts of a syllable before everything else.
  package mutating func prepend(_ shortcuts: [KeyPress]) {
    if !shortcuts.isEmpty { inputs = shortcuts.map(Input.shortcut) + inputs }
  }

  /// Takes the next one that can be handled now; nil while all of them wait.
  ///
  /// A key that leaves what is being loaded empties the queue before it.
  package mutating func next(for stack: LayerStack) -> Input? {
    guard !stack.isTurning else { return nil }
    if stack.isLoading, !forgetBeforeLeaving() { return nil }
    return inputs.popFirst()
  }

  /// Forgets what was typed before a key that leaves; false where there is none.
  @discardableResult package mutating func forgetBeforeLeaving() -> Bool {
    guard let leave = inputs.firstIndex(where: Self.leaves.contains) else { return false }
    inputs = inputs[leave...]
    return true
  }
}
