import Observation

/// The markets that are open in this run, and which of them is shown.
@Observable
package final class Markets {
  /// The screens that are drawn and have the keys.
  package private(set) var current: Navigator

  /// What all of them share.
  package var program: ProgramState { current.program }
  /// All that are open, the one shown last at the end.
  @ObservationIgnored package private(set) var open: [Navigator]

  package init(_ first: Navigator) {
    current = first
    open = [first]
    first.markets = self
  }
}
