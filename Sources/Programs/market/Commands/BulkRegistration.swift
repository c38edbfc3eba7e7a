import CommandKit
import Glibc
import MarketModel
import MarketStrings
import MarketViewModels
import SafeTextKit

/// Registration of all products that a file holds, one after the other: one that fails stops no other.
struct BulkRegistration {
  let file: ProductFile
  /// What the command line says, which wins over the file.
  var options: SellingOptions
  /// What each product is that neither names; nil where there is no template.
  let start: FormValues?
  let strings: Strings
  /// Sentence about a failure.
  let describe: (HeadlessSelling.Failure) -> SafeText
  var printer: ProductPrinter

  /// Registers all of them and prints a result for each; the exit status is that of the worst.
  mutating func run(_ selling: HeadlessSelling) async -> Int32 {
    var worst: Int32 = 0
    for (index, entries) in file.entries.enumerated() {
      guard let status = await register(entries, selling, number: index + 1) else { continue }
      worst = max(worst, status)
    }
    return worst
  }

  /// Checks all products before a password is asked for them; where none can be registered, says why of
  /// each and gives the exit status.
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
    // A copy: the photos of one product after the other would fill the memory.
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

  /// Sentence about the fields that a product still needs; nil where it has all.
  private func missing(from entries: ProductEntries) -> SafeText? {
    let missing = entries.missingFields(from: start).map {
      SafeText($0.rawValue)
    }
    return missing.isEmpty ? nil : strings(.fileProductNeeds, missing.joined(separator: ", "))
  }

  /// Registers one product; nil where that went well.
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
      say(try await selling.register(entries, as: options.sellerName, from: start))
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

  /// One product is printed whole, several with a line each.
  private mutating func say(_ detail: ProductDetail) {
    guard !isSingleEntry, !printer.writesJSON else { return printer.print(detail) }
    printer.print(ProductPage(products: [detail.product], total: .unknown, next: nil))
  }

  /// Says which of several it is about.
  private func warn(_ sentence: SafeText, number: Int) {
    Console.warn(isSingleEntry ? sentence : strings(.fileProduct, SafeText(number), sentence))
  }
}
