import CommandKit
import Glibc
import MarketModel
import MarketStrings
import MarketViewModels
import SafeTextKit

/// Registration of all products in a file, one by one; a failure does not stop the others.
struct BulkRegistration {
  let file: ProductFile
  /// Options of the command line, which override the file.
  var options: SellingOptions
  /// Values of fields that neither sets; nil without a template.
  let start: FormValues?
  let strings: Strings
  /// Returns the sentence about a failure.
  let describe: (HeadlessSelling.Failure) -> SafeText
  var printer: ProductPrinter

  /// Registers all products and prints a result for each; returns the worst exit status.
  mutating func run(_ selling: HeadlessSelling) async -> Int32 {
    var worst: Int32 = 0
    for (index, entries) in file.entries.enumerated() {
      guard let status = await register(entries, selling, number: index + 1) else { continue }
      worst = max(worst, status)
    }
    return worst
  }

  /// Checks all products before the password is asked for.
  ///
  /// If none can be registered, prints the reasons and returns the exit status, else nil.
  func failure(_ selling: HeadlessSelling) async -> Int32? {
    var failures: [SafeText] = []
    for entries in file.entries {
      guard let failure = await failure(entries, selling) else { return nil }
      failures.append(failure)
    }
    for (index, failure) in failures.enumerated() { warn(failure, number: index + 1) }
    return ExitStatus.failure
  }

  private func failure(
    _ entries: Result<ProductEntries, HeadlessSelling.Failure>, _ selling: HeadlessSelling
  ) async -> SafeText? {
    // A copy, since the photos of all products together would fill the memory.
    var selling = selling
    do throws(HeadlessSelling.Failure) {
      var entries = try self.entries(entries)
      if let sentence = missing(from: entries) { return sentence }
      let waits = entries.texts[.description] == "-"
      if waits { entries.texts[.description] = nil }
      try await selling.check(entries, from: start, but: waits ? .description : nil)
      return nil
    } catch {
      return describe(error)
    }
  }

  /// Sentence about missing required fields; nil if there are none.
  private func missing(from entries: ProductEntries) -> SafeText? {
    let missing = entries.missingFields(from: start).map {
      SafeText($0.rawValue)
    }
    return missing.isEmpty ? nil : strings(.fileProductNeeds, missing.joined(separator: ", "))
  }

  /// Registers one product; returns the exit status of a failure, nil on success.
  private mutating func register(
    _ entries: Result<ProductEntries, HeadlessSelling.Failure>, _ selling: HeadlessSelling,
    number: Int
  ) async -> Int32? {
    do throws(HeadlessSelling.Failure) {
      let entries = try self.entries(entries)
      if let sentence = missing(from: entries) {
        warn(sentence, number: number)
        return ExitStatus.failure
      }
      say(
        try await selling.register(
          entries, as: options.sellerName, from: start, again: options.listsAgain))
      return nil
    } catch {
      warn(describe(error), number: number)
      return error == .repository(.wrongPassword) ? ExitStatus.wrongPassword : ExitStatus.failure
    }
  }

  private func entries(
    _ read: Result<ProductEntries, HeadlessSelling.Failure>
  ) throws(HeadlessSelling.Failure) -> ProductEntries {
    try read.get().overridden(by: options.entries)
  }

  private var isSingleEntry: Bool { file.entries.count == 1 }

  /// Prints a single product in full, several in a line each.
  private mutating func say(_ detail: ProductDetail) {
    guard !isSingleEntry, !printer.writesJSON else { return printer.print(detail) }
    printer.print(ProductPage(products: [detail.product], total: .unknown, next: nil))
  }

  /// Prints a warning, with the product's number if there are several.
  private func warn(_ sentence: SafeText, number: Int) {
    Console.warn(isSingleEntry ? sentence : strings(.fileProduct, SafeText(number), sentence))
  }
}
