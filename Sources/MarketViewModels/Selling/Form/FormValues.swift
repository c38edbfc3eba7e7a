package import MarketModel

/// What stands in the fields of a form, as text: compared to find what was changed, and kept in
/// drafts.
///
/// The password is not among it.
package nonisolated struct FormValues: Hashable, Sendable {
  package var name = ""
  /// Digits with at most one decimal point; empty where nothing was entered.
  package var price = ""
  package var currency = Currency.krw
  package var discount = ""
  package var stock = ""
  package var description = ""
  /// The photos in order.
  package var photos: [FormPhoto.ID] = []

  package init() {}

  /// The values of a product; a price that could not be read leaves its fields empty.
  init(_ detail: ProductDetail) {
    name = detail.product.name
    if let price = detail.product.pricing.price {
      self.price = MoneyDigits.text(price.full)
      currency = price.currency
      discount = price.isReduced ? MoneyDigits.text(price.discount) : ""
    }
    stock = String(detail.product.stock)
    description = detail.description
    photos = detail.pictures.map { FormPhoto.ID(of: $0) }
  }

  /// The fields in which these values differ from others, in the order of the form.
  package func changedFields(from other: FormValues) -> Set<ProductField> {
    var fields: Set<ProductField> = []
    if photos != other.photos { fields.insert(.pictures) }
    if name != other.name { fields.insert(.name) }
    if price != other.price { fields.insert(.price) }
    if currency != other.currency { fields.insert(.currency) }
    if discount != other.discount { fields.insert(.discount) }
    if stock != other.stock { fields.insert(.stock) }
    if description != other.description { fields.insert(.description) }
    return fields
  }
}
