extension StorageRules {
  /// Everything that is wrong with a patch, in the order of the form.
  ///
  /// - Parameters:
  ///   - patch: what a seller wants to change.
  ///   - detail: the product as it is.
  /// - Returns: nothing where the patched product keeps the rules.
  package static func problems(
    of patch: ProductPatch, over detail: ProductDetail
  ) -> [FieldError] {
    var errors = patch.pictures.map { pictures($0, of: detail.pictures) } ?? []
    errors += patch.name.map(name) ?? []
    if let old = detail.product.pricing.price {
      let (full, discount) = patch.prices(over: old)
      errors += price(full.hundredths, discount: discount)
      errors += patch.currency.map(currency) ?? []
    }
    errors += patch.stock.map(stock) ?? []
    errors += patch.description.map(description) ?? []
    return errors
  }

  private static func pictures(
    _ change: ProductPatch.Pictures, of present: [Picture]
  ) -> [FieldError] {
    switch change {
    case .thumbnail(let number):
      return present.contains { $0.number == number } ? [] : [FieldError(.pictures, .unreadable)]
    case .list(let elements):
      var new: [[UInt8]] = []
      for element in elements {
        switch element {
        case .kept(let picture) where !present.contains(where: picture.isNamed):
          return [FieldError(.pictures, .unreadable)]
        case .kept: break
        case .new(let file): new.append(file)
        }
      }
      if elements.count > pictureCount.upperBound {
        return [FieldError(.pictures, .tooLong(maximum: pictureCount.upperBound))]
      }
      return new.isEmpty && !elements.isEmpty ? [] : pictures(new)
    }
  }
}
