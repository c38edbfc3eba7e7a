internal import EditorKit
internal import MarketModel

extension Password {
  /// The password that stands in a field.
  init(_ secret: SecretEditor) {
    self = secret.withBytes { Password(bytes: $0) }
  }
}
