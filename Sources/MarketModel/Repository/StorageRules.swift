/// What a store and a server accept.
package enum StorageRules {
  package static let stock: ClosedRange<Int64> = 0...(1 << 53)
  /// How many states a product has had; there is room above for as many edits as anybody makes.
  package static let versions: ClosedRange<Int64> = 1...(1 << 53)
  package static let passwordBytes = 1...1_024
  package static let pictureCount = 1...5
  package static let pictureBytes = 400 * 1_024
  /// A picture that is kept may be a little longer than it was sent, after it was turned upright.
  package static let keptPictureBytes = 2 * pictureBytes
  package static let currencies: [Currency] = [.krw, .usd]

  /// Everything that is wrong with a registration, in the order of the form.
  package static func problems(of registration: ProductRegistration) -> [FieldError] {
    var errors = pictures(registration.pictures)
    errors += name(registration.name)
    errors += price(registration.price.hundredths, discount: registration.discountHundredths)
    errors += currency(registration.price.currency)
    errors += stock(registration.stock)
    errors += description(registration.description)
    errors += password(registration.password)
    return errors
  }

  package static func name(_ name: String) -> [FieldError] {
    length(of: name, .productName, field: .name)
  }

  package static func description(_ text: String) -> [FieldError] {
    length(of: text, .description, field: .description)
  }

  package static func sellerName(_ name: String) -> [FieldError] {
    length(of: name, .sellerName, field: .name)
  }

  /// The rules on a full price and the amount taken off it, both in hundredths.
  package static func price(_ price: Int64, discount: Int64) -> [FieldError] {
    if price < 0 { return [FieldError(.price, .negative)] }
    if discount < 0 { return [FieldError(.discount, .negative)] }
    if discount > price {
      return [FieldError(.discount, .abovePrice(priceHundredths: price))]
    }
    return []
  }

  package static func currency(_ currency: Currency) -> [FieldError] {
    currencies.contains(currency) ? [] : [FieldError(.currency, .unsupportedCurrency)]
  }

  package static func stock(_ pieces: Int64) -> [FieldError] {
    if pieces < stock.lowerBound { return [FieldError(.stock, .negative)] }
    if pieces > stock.upperBound {
      return [FieldError(.stock, .tooLong(maximum: Int(stock.upperBound)))]
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

  private static func length(
    of text: String, _ limit: TextLimit, field: ProductField
  ) -> [FieldError] {
    limit.problem(of: text).map { [FieldError(field, $0)] } ?? []
  }
}
