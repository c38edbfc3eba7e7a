/// Stack of screens and dialogs; the last one gets the keys.
package final class LayerStack {
  /// From the product list at the bottom to the top layer; never empty.
  @Observed package private(set) var layers: [any Layer]
  /// The flows that have not ended.
  @Observed private var flows: [Flow] = []

  package init(bottom: any Layer) {
    layers = [bottom]
  }

  /// The layer that gets the keys.
  package var top: any Layer { layers[layers.endIndex - 1] }

  /// Whether a layer lies over the product list.
  package var isCovered: Bool { layers.count > 1 }

  /// Whether a flow has an answer and has not taken its next step.
  package var isTurning: Bool { flows.contains(where: \.isTurning) }

  /// Whether keys are held because the top layer is not loaded.
  package var isLoading: Bool { top.holdsKeys }

  package func push(_ layer: any Layer) {
    top.didCover()
    layers.append(layer)
  }

  /// Inserts a layer directly over another one; on top if that is not on the stack.
  package func push(_ layer: any Layer, over below: any Layer) {
    let index = layers.lastIndex { $0 === below } ?? layers.endIndex - 1
    layers[index].didCover()
    layers.insert(layer, at: index + 1)
  }

  /// Closes a layer and everything over it; does nothing for the product list.
  package func close(_ layer: any Layer) {
    guard let index = layers.lastIndex(where: { $0 === layer }), index > 0 else { return }
    let closed = layers[index...]
    layers.removeSubrange(index...)
    for layer in closed.reversed() { didClose(layer) }
  }

  /// Closes one layer and leaves those over it, unless the next one belongs to it.
  package func remove(_ layer: any Layer) {
    guard let index = layers.lastIndex(where: { $0 === layer }), index > 0 else { return }
    if let above = layers.dropFirst(index + 1).first, above.belongsToLayerBelow { close(above) }
    didClose(layers.remove(at: index))
  }

  /// Removes a layer without closing it, to be pushed on another stack.
  func detach(_ layer: any Layer) {
    layers.removeAll { $0 === layer }
  }

  private func didClose(_ layer: any Layer) {
    layer.didClose()
    for flow in flows { flow.didClose(layer) }
  }

  /// Ends all flows and closes all layers but the product list.
  func closeAll() {
    for flow in flows { flow.end() }
    if layers.count > 1 { close(layers[1]) }
  }

  func add(_ flow: Flow) { flows.append(flow) }

  func forget(_ flow: Flow) { flows.removeAll { $0 === flow } }

  package func contains(_ layer: any Layer) -> Bool {
    layers.contains { $0 === layer }
  }

  /// Topmost layer of a type; nil if none is open.
  package func first<Found: Layer>(_ type: Found.Type) -> Found? {
    for layer in layers.reversed() {
      if let found = layer as? Found { return found }
    }
    return nil
  }

  /// Layer directly below another one; nil for the lowest or one that is not on the stack.
  package func below(_ layer: any Layer) -> (any Layer)? {
    guard let index = layers.lastIndex(where: { $0 === layer }), index > 0 else { return nil }
    return layers[index - 1]
  }
}

/// Screen or dialog on the stack: its state, without its drawing.
///
/// Its view is a `LayerView`, found through `ViewedLayer`.
@MainActor package protocol Layer: AnyObject {
  /// Reloads the layer; the gallery has forgotten its failures before.
  func refresh()
  /// Retries the layer's failed requests; reloads it by default.
  func retry()
  /// Whether keys are held because the layer's subject is still being read; false by default.
  var holdsKeys: Bool { get }
  /// Whether the layer is closed with the one below it; false by default.
  var belongsToLayerBelow: Bool { get }
  /// Called for each key and click before any command handles it.
  func didPressKey()
  /// Called when another layer is pushed over this one.
  func didCover()
  /// Called when the layer has left the stack: cancels its tasks and wipes its secrets.
  func didClose()
}

extension Layer {
  package var holdsKeys: Bool { false }
  package var belongsToLayerBelow: Bool { false }
  package func refresh() {}
  package func retry() { refresh() }
  package func didPressKey() {}
  package func didCover() {}
  package func didClose() {}
}
