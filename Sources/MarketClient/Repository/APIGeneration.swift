/// The generations of the market's interface, by the year in which each was in use.
package enum APIGeneration: String, Hashable, Sendable, CaseIterable {
  /// Items.
  case items = "2021"
  /// Products, deleted by a key.
  case products2022 = "2022"
  /// Products with search, deleted by a path.
  case products2023 = "2023"
}
