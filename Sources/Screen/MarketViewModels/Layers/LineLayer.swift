package import EditorKit

/// A layer with one line that is typed.
@MainActor package protocol LineLayer: Layer {
  /// Changes the line.
  func edit(_ change: (inout LineEditor) -> Void)
}

extension LineLayer where Self: ListModel {
  /// Changes the words by which the list is narrowed.
  package func edit(_ change: (inout LineEditor) -> Void) { list.edit(change) }
}
