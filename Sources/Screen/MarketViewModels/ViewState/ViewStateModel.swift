/// The choices in use, and their saving.
package final class ViewStateModel {
  @Observed package private(set) var viewState: ViewState
  /// Whether the mouse drags the divider between list and detail.
  @Observed package private(set) var holdsDivider = false

  private let store: (any ViewStateStore)?
  /// Task of the last save; the store executes them in order.
  private var saving: Task<Void, Never>?

  /// Begins with the saved choices; nil for `store` saves nothing.
  package init(_ viewState: ViewState = ViewState(), store: (any ViewStateStore)? = nil) {
    self.viewState = viewState
    self.store = store
  }

  /// Sets a value and saves it.
  package func choose<Value: Sendable>(
    _ value: Value, for path: WritableKeyPath<ViewState, Value?>
  ) {
    viewState[keyPath: path] = value
    var chosen = ViewState()
    chosen[keyPath: path] = value
    keep(chosen)
  }

  /// Waits until all values are saved.
  package func finish() async { await saving?.value }

  // MARK: Divider

  package func grabDivider() { holdsDivider = true }

  /// Moves the divider; true if the mouse drags it.
  package func dragDivider(to share: ListWidthFraction) -> Bool {
    guard holdsDivider else { return false }
    if viewState.listWidthFraction != share { viewState.listWidthFraction = share }
    return true
  }

  /// Ends the drag and saves the divider's position.
  package func releaseDivider() {
    guard holdsDivider else { return }
    holdsDivider = false
    var chosen = ViewState()
    chosen.listWidthFraction = viewState.listWidthFraction
    keep(chosen)
  }

  private func keep(_ chosen: ViewState) {
    guard let store else { return }
    saving = Task.immediate { await store.keep(chosen) }
  }
}
