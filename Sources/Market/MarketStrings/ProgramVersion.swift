/// The version of the programs, as both say it.
package enum ProgramVersion {
  package static let text = "OpenMarket 0.1.0"
  /// The day of the version, as manual pages say it.
  package static let date = "2026-11-22"
}
