/// The screens and dialogs that lie on each other; the last one has the keys.
package final class LayerStack {
  /// From the products at the bottom to what has the keys.
  @Observed package private(set) var layers: [any Layer]
  /// What a person is about; each ends by itself or with what it has here.
  @Observed private var flows: [Flow] = []

  package init(bottom: any Layer) {
    layers = [bottom]
  }

  /// The layer that has the keys; the products where nothing lies over them.
  package var top: any Layer { layers[layers.endIndex - 1] }

  /// Whether something lies over the products.
  package var isCovered: Bool { layers.count > 1 }

  /// Whether an answer was given and what follows from it is not there yet.
  package var isTurning: Bool { flows.contains(where: \.isTurning) }

  /// Whether what the next key is about is not there yet.
  package var isLoading: Bool { top.holdsKeys }

  package func push(_ layer: any Layer) {
    top.didCover()
    layers.append(layer)
  }

  /// Puts a layer directly over another one, under what lies over that.
  package func push(_ layer: any Layer, over below: any Layer) {
    let index = layers.lastIndex { $0 === below } ?? layers.endIndex - 1
    layers[index].didCover()
    layers.insert(layer, at: index + 1)
  }

  /// Takes a layer away, with everything that lies over it; the products stay.
  package func close(_ layer: any Layer) {
    guard let index = layers.lastIndex(where: { $0 === layer }), index > 0 else { return }
    let closed = layers[index...]
    layers.removeSubrange(index...)
    for layer in closed.reversed() { didClose(layer) }
  }

  /// Takes one layer away and leaves what lies over it, unless that belongs to it.
  package func remove(_ layer: any Layer) {
    guard let index = layers.lastIndex(where: { $0 === layer }), index > 0 else { return }
    if let above = layers.dropFirst(index + 1).first, above.belongsToLayerBelow { close(above) }
    didClose(layers.remove(at: index))
  }

  /// Takes one layer away that goes on over other screens.
  func take(_ layer: any Layer) {
    layers.removeAll { $0 === layer }
  }

  private func didClose(_ layer: any Layer) {
    layer.didClose()
    for flow in flows { flow.didClose(layer) }
  }

  /// Takes everything away but the products, and ends what a person was about.
  func closeAll() {
    for flow in flows { flow.end() }
    if layers.count > 1 { close(layers[1]) }
  }

  func add(_ flow: Flow) { flows.append(flow) }

  func forget(_ flow: Flow) { flows.removeAll { $0 === flow } }

  package func contains(_ layer: any Layer) -> Bool {
    layers.contains { $0 === layer }
  }

  /// The topmost layer of a type; nil where none is open.
  package func first<Found: Layer>(_ type: Found.Type) -> Found? {
    for layer in layers.reversed() {
      if let found = layer as? Found { return found }
    }
    return nil
  }

  /// The layer under another one; nil for the products.
  package func below(_ layer: any Layer) -> (any Layer)? {
    guard let index = layers.lastIndex(where: { $0 === layer }), index > 0 else { return nil }
    return layers[index - 1]
  }
}

/// One screen or dialog on the stack that the window shows: what it knows, without how it looks.
///
/// Its view is a `LayerView`, found through `ViewedLayer`.
@MainActor package protocol Layer: AnyObject {
  /// Asks again for what it shows; the gallery's failures are forgotten before.
  func refresh()
  /// Asks again for what failed.
  func retry()
  /// Whether input waits, for what it is about is still being read.
  var holdsKeys: Bool { get }
  /// Whether it is a part of the layer below it, and goes with that.
  var belongsToLayerBelow: Bool { get }
  /// Learns of each key and click before anything takes it.
  func didPressKey()
  /// Learns that another layer lies over it and has the keys.
  func didCover()
  /// Learns that it left the stack: cancels what it started and wipes what is secret.
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
