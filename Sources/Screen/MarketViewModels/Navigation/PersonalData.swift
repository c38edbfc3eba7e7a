package import MarketModel

/// What a person keeps, and who looks after it; what is kept may be opened after the screens are made.
package final class PersonalData {
  /// Where it is kept; nil where nothing is.
  @Observed package var store: (any PersonalDataStore)?
  /// What a person waits for; nil where nothing is kept.
  @Observed package var alerts: AlertScheduler?

  package init() {}
}
