package import EditorKit

/// A layer with one line that is typed.
@MainActor package protocol LineLayer: Layer {
  /// Changes the line.
  func edit(_ change: (inout LineEditor) -> Void)
}
