/// Bounds of how far searches go before they answer by what they have seen.
package struct SearchBounds: Sendable {
  /// Finds of the words that are looked up; where there are more, what else a query asks is not counted
  /// among all of them.
  package var looked = 10_000
  /// Those among which it is counted then, which gives a number that there are at least.
  package var counted = 5_000
  /// Finds up to the price that a sample tells, which are looked up to be sorted.
  package var near = 30_000
  /// Products of an order that are looked at one by one: far more than are needed where more than
  /// 10,000 of a million match, unless those that match stand together elsewhere.
  package var scanLimit = 20_000
  /// The same before the index is asked for what comes first by price.
  package var priceScanLimit = 2_000
  /// Pages of the table of words that are taken as a sample, on average.
  package var sampledPages = 1_000
  /// The same where the sample is only to tell up to which price to look.
  package var markPages = 400
  /// Pages of a first glimpse, on average, which saves the sample where few are found.
  package var samplePages = 100
  /// Size of the table, in pages, up to which looking everything up is as fast as a sample.
  package var minPages = 4_000

  /// Chooses which pages are taken.
  package var seed = 1
  /// How many times as many finds as a page needs are to be expected up to a price, at each attempt.
  package var plenty = [2, 16]

  package init() {}
}
