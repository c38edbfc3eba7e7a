package import MarketViewModels
package import TerminalKit

/// Queue of keys, pastes and mouse events in order of arrival.
///
/// Events wait while a flow changes its layer, and while the top layer is loading.
package struct InputQueue {
  package enum Input: Hashable, Sendable {
    case key(KeyPress)
    /// Part of a Hangul syllable that no text field took.
    case shortcut(KeyPress)
    case paste(String)
    case mouse(MouseEvent)
  }

  private var inputs: ArraySlice<Input> = []

  /// Maximum number of events, which no typing or unbracketed paste reaches; further ones are dropped.
  private static let maxCount = 100_000
  /// Keys that are handled while a layer is loading.
  private static let leaves: Set<Input> = [.key(.escape), .key(.control("c"))]

  package init() {}

  package var isEmpty: Bool { inputs.isEmpty }

  /// Appends an event; ignores replies of the terminal and focus changes.
  package mutating func append(_ event: InputEvent) {
    guard inputs.count < Self.maxCount else { return }
    switch event {
    case .key(let key): inputs.append(.key(key))
    case .paste(let text): inputs.append(.paste(text))
    case .mouse(let event): inputs.append(.mouse(event))
    case .focus, .reply: break
    }
  }

  /// Inserts the parts of a syllable before all other events.
  package mutating func prepend(_ shortcuts: [KeyPress]) {
    if !shortcuts.isEmpty { inputs = shortcuts.map(Input.shortcut) + inputs }
  }

  /// Removes and returns the next event; nil while all must wait.
  ///
  /// A key that leaves a loading layer discards the events before it.
  package mutating func next(for stack: LayerStack) -> Input? {
    guard !stack.isTurning else { return nil }
    if stack.isLoading, !forgetBeforeLeaving() { return nil }
    return inputs.popFirst()
  }

  /// Discards the events before a key that leaves; returns false where there is none.
  @discardableResult package mutating func forgetBeforeLeaving() -> Bool {
    guard let leave = inputs.firstIndex(where: Self.leaves.contains) else { return false }
    inputs = inputs[leave...]
    return true
  }
}
