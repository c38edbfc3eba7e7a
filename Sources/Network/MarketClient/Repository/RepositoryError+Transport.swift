import MarketModel

extension RepositoryError {
  /// The one place where failures of the network become failures of a repository.
  init(_ error: TransportError) {
    self =
      switch error {
      case .libraryMissing: .unreachable(.libraryMissing)
      case .exhausted: .unreachable(.exhausted)
      case .nameNotFound: .unreachable(.nameNotFound)
      case .refused, .fenced: .unreachable(.refused)
      case .timedOut: .unreachable(.timedOut)
      case .disconnected: .unreachable(.disconnected)
      case .insecure: .unreachable(.insecure)
      case .tooManyRedirects, .redirectRefused: .badAnswer(.tooManyRedirects)
      case .tooLarge: .badAnswer(.tooLarge)
      case .malformed: .badAnswer(.unreadable)
      case .cancelled: .cancelled
      }
  }

  /// Whether a write may have been done although this was its answer.
  var leavesOutcomeOpen: Bool {
    switch self {
    case .unreachable(let failure):
      ![.libraryMissing, .exhausted, .nameNotFound, .refused, .insecure].contains(failure)
    case .badAnswer, .cancelled: true
    default: false
    }
  }
}
