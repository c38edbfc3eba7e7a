package import MarketModel

/// The user's personal data and its alerts; both may be set after the screens are made.
package final class PersonalData {
  /// The store; nil for a run that saves nothing.
  @Observed package var store: (any PersonalDataStore)?
  /// The alerts; nil for a run that saves nothing.
  @Observed package var alerts: AlertScheduler?

  package init() {}
}
