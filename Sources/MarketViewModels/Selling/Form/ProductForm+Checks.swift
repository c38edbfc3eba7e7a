internal import EditorKit
package import MarketModel

/// The rules of the form, field by field.
extension ProductForm {
  /// What is wrong with a field now; nil where nothing is, or where it was not changed.
  package func problem(of field: ProductField) -> FieldError.Problem? {
    let changed = changedFields
    switch field {
    case .discount:
      // The price and its currency decide over the discount as much as it does itself.
      guard isChecked([.price, .currency, .discount], changed) else { return nil }
      return discountProblem
    default:
      guard isChecked([field], changed) else { return nil }
      return problemIfChanged(of: field)
    }
  }

  /// Checks a field that is being left: one that is still empty is not blamed before all is sent.
  mutating func checkOnLeaving(_ field: ProductField) {
    let problem = problem(of: field)
    set(problem == .missing ? nil : problem, for: field)
    if field == .price { set(self.problem(of: .discount), for: .discount) }
  }

  /// Takes a problem back as soon as typing has mended it.
  mutating func recheck(_ field: ProductField) {
    guard problems[field] != nil else { return }
    if problem(of: field) == nil { set(nil, for: field) }
  }

  private func isChecked(_ fields: [ProductField], _ changed: Set<ProductField>) -> Bool {
    purpose == .registration || !changed.isDisjoint(with: fields)
  }

  private func problemIfChanged(of field: ProductField) -> FieldError.Problem? {
    switch field {
    case .pictures: photos.photos.isEmpty ? .missing : nil
    case .name: lengthProblem(name.text.trimmed.count, in: FormRules.nameLength)
    case .price: price.text.isEmpty ? .missing : priceProblem
    case .stock: stockProblem
    case .description:
      lengthProblem(description.text.trimmed.count, in: FormRules.descriptionLength)
    case .password: passwordProblem
    case .currency, .discount: nil
    }
  }

  private func lengthProblem(_ count: Int, in range: ClosedRange<Int>) -> FieldError.Problem? {
    if count == 0 { return .missing }
    if count < range.lowerBound { return .tooShort(minimum: range.lowerBound) }
    if count > range.upperBound { return .tooLong(maximum: range.upperBound) }
    return nil
  }

  private var priceProblem: FieldError.Problem? {
    MoneyDigits.hundredths(price.text) == nil ? .unreadable : nil
  }

  private var discountProblem: FieldError.Problem? {
    guard !discount.text.isEmpty else { return nil }
    guard let amount = MoneyDigits.hundredths(discount.text) else { return .unreadable }
    guard let price = MoneyDigits.hundredths(price.text) else { return nil }
    return amount > price ? .abovePrice(priceHundredths: price) : nil
  }

  private var stockProblem: FieldError.Problem? {
    if stock.text.isEmpty { return .missing }
    guard let pieces = Int64(stock.text) else { return .unreadable }
    let most = FormRules.stock.upperBound
    return pieces > most ? .tooLong(maximum: Int(most)) : nil
  }

  private var passwordProblem: FieldError.Problem? {
    if password.isEmpty { return .missing }
    let shortest = FormRules.shortestPassword
    return password.characterCount < shortest ? .tooShort(minimum: shortest) : nil
  }
}
