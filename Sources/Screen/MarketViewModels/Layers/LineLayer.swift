package import EditorKit

/// Layer with one line of text input.
@MainActor package protocol LineLayer: Layer {
  func edit(_ change: (inout LineEditor) -> Void)
}

extension LineLayer where Self: ListModel {
  /// Edits the filter of the list.
  package func edit(_ change: (inout LineEditor) -> Void) { list.edit(change) }
}
