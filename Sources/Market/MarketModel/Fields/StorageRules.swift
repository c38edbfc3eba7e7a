/// Validation rules of stores and servers; values outside are refused with `.invalid`.
package enum StorageRules {
  package static let stock: ClosedRange<Int64> = 0...(1 << 53)
  /// Valid versions of a product; the maximum is never reached by edits.
  package static let versions: ClosedRange<Int64> = 1...(1 << 53)
  /// Valid lengths of a password in UTF-8.
  package static let passwordBytes = 1...1_024
  /// Maximum bytes of a password's hash; longer ones match no password.
  package static let passwordHashBytes = 128
  package static let pictureCount = 1...5
  /// Maximum bytes of an uploaded picture.
  package static let pictureBytes = 400 * 1_024
  /// Maximum bytes of a stored picture; re-encoding after rotation may make it longer than the
  /// upload.
  package static let storedPictureBytes = 2 * pictureBytes
  package static let currencies: [Currency] = [.krw, .usd]

  package static func sellerName(_ name: String?) -> [FieldError] {
    name.flatMap { TextLimit.sellerName.problem(of: $0) ?? $0.problem(inLines: false) }
      .map { [FieldError(.name, $0)] } ?? []
  }

  /// Validates a full price and a discount, both in hundredths.
  package static func price(_ price: Int64, discount: Int64) -> [FieldError] {
    if price < 0 { return [FieldError(.price, .negative)] }
    if discount < 0 { return [FieldError(.discount, .negative)] }
    if discount > price {
      return [FieldError(.discount, .abovePrice(priceHundredths: price))]
    }
    return []
  }

  package static func password(_ password: Password) -> [FieldError] {
    let count = password.byteCount
    if count < passwordBytes.lowerBound { return [FieldError(.password, .missing)] }
    if count > passwordBytes.upperBound {
      return [FieldError(.password, .tooLong(maximum: passwordBytes.upperBound))]
    }
    return []
  }

  package static func pictures(_ files: [[UInt8]]) -> [FieldError] {
    if files.isEmpty { return [FieldError(.pictures, .missing)] }
    if files.count > pictureCount.upperBound {
      return [FieldError(.pictures, .tooLong(maximum: pictureCount.upperBound))]
    }
    if files.contains(where: { $0.count > pictureBytes }) {
      return [FieldError(.pictures, .pictureTooLarge(maximumBytes: pictureBytes))]
    }
    if files.contains(where: { PictureFormat(sniffing: $0) == nil }) {
      return [FieldError(.pictures, .unsupportedPicture)]
    }
    return []
  }

  /// Validates a change of pictures.
  package static func pictures(
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

  /// Returns all errors of a registration, in the order of the form.
  package static func problems(of registration: ProductRegistration) -> [FieldError] {
    let values = registration.fieldValues
    return ProductField.allCases.flatMap { field in
      switch field {
      case .pictures: pictures(registration.pictures)
      case .password: password(registration.password)
      default: field.problems(in: values)
      }
    }
  }

  /// Returns all errors of a patch, in the order of the form; an unreadable price is not checked.
  package static func problems(
    of patch: ProductPatch, over detail: ProductDetail
  ) -> [FieldError] {
    var values = patch.values(over: detail)
    // The present currency of the product is not part of the patch.
    if patch.currency == nil { values[.currency] = nil }
    return (patch.pictures.map { pictures($0, of: detail.pictures) } ?? [])
      + ProductField.allCases.flatMap { $0.problems(in: values) }
  }
}
