/// The look in use: what was chosen, and that it gets to disk.
package final class ViewStateModel {
  @Observed package private(set) var viewState: ViewState
  /// Whether the mouse holds the divider between list and detail.
  @Observed package private(set) var holdsDivider = false

  private let store: (any ViewStateStore)?
  /// The last change on its way to the store, which takes them one after the other.
  private var saving: Task<Void, Never>?

  /// Takes what was kept by earlier runs; without a store the look lasts as long as the program.
  package init(_ viewState: ViewState = ViewState(), store: (any ViewStateStore)? = nil) {
    self.viewState = viewState
    self.store = store
  }

  /// Chooses a value, which is kept at once.
  package func choose<Value: Sendable>(
    _ value: Value, for path: WritableKeyPath<ViewState, Value?>
  ) {
    viewState[keyPath: path] = value
    var chosen = ViewState()
    chosen[keyPath: path] = value
    keep(chosen)
  }

  /// Waits until all that was chosen is kept.
  package func finish() async { await saving?.value }

  // MARK: The divider under the mouse

  package func grabDivider() { holdsDivider = true }

  /// Moves the divider with the mouse; true where that holds it.
  package func dragDivider(to share: ListWidthFraction) -> Bool {
    guard holdsDivider else { return false }
    if viewState.listWidthFraction != share { viewState.listWidthFraction = share }
    return true
  }

  /// Lets go of the divider, whose place is kept from now on.
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
