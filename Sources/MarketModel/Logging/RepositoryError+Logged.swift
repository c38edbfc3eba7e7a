extension RepositoryError {
  /// What the log may say: the case with its cause, never a product or what a server wrote; nil for
  /// what somebody ended.
  package var logged: String? {
    switch self {
    case .cancelled: nil
    case .conflict: "conflict"
    case .invalid(let errors):
      "invalid " + errors.map(\.field.rawValue).joined(separator: ", ")
    case .unreachable(let failure): "unreachable, \(failure)"
    case .badAnswer(let failure): "bad answer, \(failure)"
    case .store(let failure): "store, \(failure)"
    case .notFound, .wrongPassword, .notOwner, .blocked, .keyReused, .marketFull, .tooManyAttempts,
      .tooManyRequests, .unknownCursor, .unsupported:
      String(describing: self)
    }
  }
}

extension PictureError {
  /// What the log may say; nil where nobody waited any more.
  package var logged: String? { self == .cancelled ? nil : String(describing: self) }
}
