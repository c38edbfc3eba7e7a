/// What the form asks of a seller; a store accepts more, so that older clients go on working.
///
/// Lengths are counted in characters as a person sees them.
package enum FormRules {
  package static let nameLength = 3...100
  package static let descriptionLength = 10...1_000
  package static let stock: ClosedRange<Int64> = 0...999_999_999
  package static let photoCount = 1...5
  package static let shortestPassword = 4
}
