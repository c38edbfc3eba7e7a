package import EditorKit
package import MarketModel

/// The form in which a product is registered or edited: its fields, which one has the focus, and
/// what is wrong with them.
///
/// It waits for nothing and sends nothing.
package struct ProductForm {
  package enum Purpose: Hashable, Sendable {
    case registration
    /// The product as it was read.
    case edit(ProductDetail)
  }

  package let purpose: Purpose
  package let capabilities: RepositoryCapabilities

  package internal(set) var photos: PhotoList
  package internal(set) var name: LineEditor
  package internal(set) var price: NumberEditor
  package internal(set) var currency: Currency
  package internal(set) var discount: NumberEditor
  package internal(set) var stock: NumberEditor
  package internal(set) var description: TextEditor
  package internal(set) var password = SecretEditor()

  package private(set) var focus: ProductField
  package private(set) var problems: [ProductField: FieldError.Problem] = [:]

  /// What stood in the fields at first; what still does is neither checked nor sent.
  let original: FormValues

  private static let wholeDigits = 15

  /// - Parameters:
  ///   - purpose: what the form is for.
  ///   - capabilities: what the market takes.
  ///   - currency: the currency in which a registration begins.
  package init(
    _ purpose: Purpose, capabilities: RepositoryCapabilities, currency: Currency = .krw
  ) {
    self.purpose = purpose
    self.capabilities = capabilities
    var values = FormValues()
    switch purpose {
    case .registration:
      values.currency = currency
      values.stock = "1"
      photos = PhotoList()
      focus = .pictures
    case .edit(let detail):
      values = FormValues(detail)
      photos = PhotoList(detail.pictures.map(FormPhoto.init(kept:)))
      focus = .name
    }
    original = values
    name = LineEditor(values.name, limit: FormRules.nameLength.upperBound)
    price = Self.money(values.price, in: values.currency)
    self.currency = values.currency
    discount = Self.money(values.discount, in: values.currency)
    stock = Self.pieces(values.stock)
    description = TextEditor(
      values.description, limit: FormRules.descriptionLength.upperBound)
  }

  /// The fields in the order in which the focus goes through them.
  package var fields: [ProductField] {
    ProductField.allCases.filter { purpose == .registration || $0 != .password }
  }

  /// What stands in the fields now.
  package var values: FormValues {
    var values = FormValues()
    values.photos = photos.photos.map(\.id)
    values.name = name.text
    values.price = price.text
    values.currency = currency
    values.discount = discount.text
    values.stock = stock.text
    values.description = description.text
    return values
  }

  package var changedFields: Set<ProductField> { values.changedFields(from: original) }

  /// Whether there is anything that leaving would lose.
  package var isUntouched: Bool { changedFields.isEmpty && password.isEmpty }

  // MARK: Focus

  /// Leaves the field, which is checked by that, for the next one; after the last comes the first.
  package mutating func focusNext() { moveFocus(by: 1) }

  package mutating func focusPrevious() { moveFocus(by: -1) }

  package mutating func focus(_ field: ProductField) {
    guard field != focus, fields.contains(field) else { return }
    checkOnLeaving(focus)
    focus = field
  }

  private mutating func moveFocus(by distance: Int) {
    let fields = fields
    guard let index = fields.firstIndex(of: focus) else { return }
    focus(fields[(index + distance + fields.count) % fields.count])
  }

  // MARK: Currency

  /// The currencies that the market takes, and the one that the product has.
  package var currencies: [Currency] {
    let offered =
      switch capabilities.currencies {
      case .only(let list): list
      case .any(let suggested): suggested
      }
    return offered.contains(currency) ? offered : [currency] + offered
  }

  package mutating func choose(_ currency: Currency) {
    guard currency != self.currency else { return }
    self.currency = currency
    price = Self.money(price.text, in: currency)
    discount = Self.money(discount.text, in: currency)
    problems[.currency] = nil
  }

  static func money(_ digits: String, in currency: Currency) -> NumberEditor {
    NumberEditor(
      digits, wholeDigits: wholeDigits,
      decimals: MoneyDigits.decimals(currency, showing: digits))
  }

  static func pieces(_ digits: String) -> NumberEditor {
    NumberEditor(digits, wholeDigits: wholeDigits)
  }

  /// Overwrites what was typed as a password.
  mutating func wipePassword() { password.wipe() }

  // MARK: Problems

  mutating func set(_ problem: FieldError.Problem?, for field: ProductField) {
    problems[field] = problem
  }

  /// Checks everything that was changed; the first field with a problem gets the focus.
  ///
  /// - Returns: whether the form may be sent.
  package mutating func checkAll() -> Bool {
    for field in fields { problems[field] = problem(of: field) }
    return focusFirstProblem()
  }

  /// Puts what a repository refused on its fields.
  package mutating func refuse(_ errors: [FieldError]) {
    problems = [:]
    for error in errors where problems[error.field] == nil {
      problems[error.field] = error.problem
    }
    _ = focusFirstProblem()
  }

  private mutating func focusFirstProblem() -> Bool {
    guard let first = fields.first(where: { problems[$0] != nil }) else { return true }
    focus = first
    return false
  }
}
