import MarketModel

extension ProductPatch {
  /// Why these changes are not made; nil where they may be.
  package func refusal(
    over present: ProductDetail, expecting expected: ProductVersion?
  ) -> RepositoryError? {
    if let expected, expected != present.version { return .conflict(current: present) }
    let problems = StorageRules.problems(of: self, over: present)
    return problems.isEmpty ? nil : .invalid(problems)
  }
}

extension ProductPatch.Pictures {
  /// The files that are to be added, in order.
  var newFiles: [[UInt8]] {
    guard case .list(let elements) = self else { return [] }
    return elements.compactMap { element in
      guard case .new(let file) = element else { return nil }
      return file
    }
  }

  /// The keys of a product's pictures as this change leaves them, in order.
  ///
  /// - Parameters:
  ///   - present: the product's pictures.
  ///   - files: the new ones, fit to be kept, in their order.
  ///   - keep: stores a new one and returns its key.
  /// - Returns: the keys.
  /// - Throws: what `keep` throws.
  package func keys<Failure: Error>(
    over present: [Picture], files: [PreparedPicture],
    keeping keep: (PreparedPicture) throws(Failure) -> Int64
  ) throws(Failure) -> [Int64] {
    switch self {
    case .thumbnail(let number):
      let numbers = present.compactMap(\.number)
      return numbers.filter { $0 == number } + numbers.filter { $0 != number }
    case .list(let elements):
      var files = files[...]
      var keys: [Int64] = []
      for element in elements {
        switch element {
        case .kept(let picture): if let number = picture.number { keys.append(number) }
        case .new: if let file = files.popFirst() { keys.append(try keep(file)) }
        }
      }
      return keys
    }
  }
}
