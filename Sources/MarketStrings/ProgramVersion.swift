/// The version of the programs, as both say it.
package enum ProgramVersion {
  package static let text = "OpenMarket 0.1.0"
}
