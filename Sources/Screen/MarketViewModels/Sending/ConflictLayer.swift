import Observation

/// The choice between both versions of a product that somebody else changed meanwhile.
@Observable
package final class ConflictLayer: Layer {
  package private(set) var conflict: ConflictModel

  private let didEnd: (ProductForm?) -> Void

  /// A choice that ends with the form over the version that is there now, or with nothing.
  init(_ conflict: ConflictModel, didEnd: @escaping (ProductForm?) -> Void) {
    self.conflict = conflict
    self.didEnd = didEnd
  }

  package func move(by distance: Int) { conflict.move(by: distance) }

  /// Takes the other version of the selected field.
  package func toggle() { conflict.toggle() }

  /// Goes on in the form with what was chosen.
  package func resolve() { didEnd(conflict.resolved()) }

  package func cancel() { didEnd(nil) }
}
