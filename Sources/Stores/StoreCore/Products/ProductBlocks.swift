import MarketModel

/// Counts of products by blocks of ids, in levels.
package enum ProductBlocks {
  /// Bits by which an id is shifted to give the number of its block, from the finest level up.
  package static let shifts: [Int64] = [7, 12, 17]

  package static let topLevel = Int64(shifts.count - 1)

  /// SQL expression that sums the counts of some states.
  package static func sum(of states: [Int]) -> String {
    states.map { "state_\($0)" }.joined(separator: " + ")
  }

  /// Finds the position of a product by the number of newer ones before it.
  ///
  /// `blocks` reads the blocks of a level whose numbers are in a range, the newest first; counts are not
  /// negative. Returns the start of the product's block, and the number of products to skip in it; nil
  /// past the end.
  ///
  /// - Throws: what `blocks` throws.
  package static func position<Failure: Error>(
    atOffset offset: Int,
    among blocks: (
      _ level: Int64, _ numbers: ClosedRange<Int64>
    ) throws(Failure) -> [(number: Int64, count: Int64)]
  ) throws(Failure) -> (after: OrderKey, offset: Int)? {
    var rest = Int64(offset)
    var numbers: ClosedRange<Int64> = 0...(StoredNumbers.productIDs.upperBound >> 17)
    for level in shifts.indices.reversed() {
      // A damaged index may return others.
      let candidates = try blocks(Int64(level), numbers).filter { numbers.contains($0.number) }
      guard let found = block(skipping: &rest, among: candidates) else { return nil }
      let shift = shifts[level]
      guard level > 0 else { return (OrderKey(newestBelow: (found + 1) << shift), Int(rest)) }
      let step = shift - shifts[level - 1]
      numbers = (found << step)...((found + 1) << step - 1)
    }
    return nil
  }

  private static func block(
    skipping rest: inout Int64, among blocks: [(number: Int64, count: Int64)]
  ) -> Int64? {
    for (number, count) in blocks {
      if rest < count { return number }
      rest -= count
    }
    return nil
  }
}

/// State of a product for filters, as a number that the tables store and count.
package enum ProductState {
  private static let inStock = 1
  private static let reduced = 2

  package static func of(stock: Int64, isReduced: Bool) -> Int {
    (stock > 0 ? inStock : 0) + (isReduced ? reduced : 0)
  }

  package static func isSoldOut(_ state: Int) -> Bool { state & inStock == 0 }

  /// The states of products that pass some filters.
  static func all(passing filters: Set<ProductFilter>) -> [Int] {
    (0...3).filter { state in
      (filters.isDisjoint(with: [.inStock, .available, .reserved]) || state & inStock != 0)
        && (!filters.contains(.reduced) || state & reduced != 0)
        && (!filters.contains(.sold) || state & inStock == 0)
    }
  }
}

extension Product {
  package var state: Int {
    ProductState.of(stock: stock, isReduced: pricing.price?.isReduced == true)
  }
}

extension Set<ProductFilter> {
  /// The states of products that pass the filters.
  package var states: [Int] { ProductState.all(passing: self) }
}
