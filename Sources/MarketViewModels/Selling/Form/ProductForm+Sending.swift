internal import EditorKit
package import MarketModel

/// What a form that keeps its rules sends.
extension ProductForm {
  /// The registration; nil where the price cannot be read or a photo is not ready.
  package func registration() -> ProductRegistration? {
    guard let hundredths = MoneyDigits.hundredths(price.text), let pieces = Int64(stock.text),
      !photos.isBusy
    else { return nil }
    return ProductRegistration(
      name: name.text.trimmed, description: description.text.trimmed,
      price: Money(hundredths: hundredths, currency: currency),
      discountHundredths: MoneyDigits.hundredths(discount.text) ?? 0, stock: pieces,
      pictures: photos.files, password: Password(password))
  }

  /// What was changed and nothing else.
  package func patch() -> ProductPatch {
    let changed = changedFields
    var patch = ProductPatch()
    if changed.contains(.name) { patch.name = name.text.trimmed }
    if changed.contains(.description) { patch.description = description.text.trimmed }
    if changed.contains(.price) { patch.priceHundredths = MoneyDigits.hundredths(price.text) }
    if changed.contains(.currency) { patch.currency = currency }
    if changed.contains(.discount) {
      patch.discount = .amount(MoneyDigits.hundredths(discount.text) ?? 0)
    }
    if changed.contains(.stock) { patch.stock = Int64(stock.text) }
    if changed.contains(.pictures) { patch.pictures = pictureChange }
    return patch
  }

  /// A market that cannot change pictures may still be told which of them comes first.
  private var pictureChange: ProductPatch.Pictures? {
    guard !capabilities.changesPictures else { return .list(photos.elements) }
    guard case .kept(let picture) = photos.photos.first?.content else { return nil }
    return picture.number.map { .thumbnail(number: $0) }
  }
}
