package import EditorKit
package import MarketModel

/// The form in which a product is registered, edited or asked about: its fields, which one has the focus, and
/// what is wrong with them.
///
/// It waits for nothing and sends nothing.
package struct ProductForm {
  package enum Purpose: Hashable, Sendable {
    case registration
    /// The product as it was read.
    case edit(ProductDetail)
    /// Something is asked about a product, under a name where none was given before.
    case question(ProductDetail, asksName: Bool)
    case answer(Question, ProductDetail)
  }

  package let purpose: Purpose
  package private(set) var capabilities: RepositoryCapabilities
  package private(set) var focus: ProductField {
    didSet { hidePassword() }
  }
  package private(set) var problems: [ProductField: FieldError.Problem] = [:]
  /// Whether the password was typed again as another one.
  package private(set) var blamesRepetition = false
  /// How many characters of the last paste had no room in a text field; gone with the next key there.
  package private(set) var cut: [ProductField: Int] = [:]

  private var editors: [ProductField: FieldEditor] = [:]
  /// What stood in the fields at first; what still does is neither checked nor sent.
  private var original: FormValues
  /// The fields that held something which the market has no field for; they are empty now.
  package internal(set) var dropped: Set<ProductField> = []
  /// Whether nobody has chosen the currency: an amount that names another one changes it then.
  private var proposesCurrency = false

  /// - Parameters:
  ///   - purpose: what the form is for.
  ///   - capabilities: what the market takes.
  ///   - start: what a new product's form holds at first; nil for an empty one.
  ///   - currency: what an empty form proposes; nil for the usual one.
  package init(
    _ purpose: Purpose, capabilities: RepositoryCapabilities, from start: FormValues? = nil,
    proposing currency: Currency? = nil
  ) {
    self.purpose = purpose
    self.capabilities = capabilities
    var values = start ?? purpose.start ?? .initial
    switch purpose {
    case .registration:
      if let currency { values[.currency] = currency.rawValue }
      proposesCurrency = start == nil
      focus = values.photos.isEmpty ? .pictures : .name
    case .edit(let detail):
      values = FormValues(detail)
      focus = .name
    case .question, .answer: focus = .description
    }
    original = values
    for field in ProductField.allCases { editors[field] = editor(of: field, in: values) }
    dropLacking()
  }

  /// The fields in the order in which the focus goes through them: a password is asked for when a
  /// product is new, and what becomes of it when it is not.
  package var fields: [ProductField] {
    if let fields = purpose.fields { return fields }
    let others = purpose == .registration ? ProductField.ofListed : [.password]
    return ProductField.allCases.filter {
      !others.contains($0) && !capabilities.lackingFields.contains($0)
    }
  }

  /// What a field is edited by.
  package subscript(field: ProductField) -> FieldEditor {
    editors[field] ?? editor(of: field, in: FormValues())
  }

  private func editor(of field: ProductField, in values: FormValues) -> FieldEditor {
    FieldEditor(of: field, in: values, purpose.rules(of: field))
  }

  /// What stands in the fields now.
  package var values: FormValues {
    FormValues(editors.compactMapValues(\.text), photos: photos.photos)
  }

  package var changedFields: Set<ProductField> { values.changedFields(from: original) }

  /// What the changed fields held at first and hold now.
  package var changes: FieldChanges { FieldChanges(from: original, to: values) }

  /// Whether there is anything that leaving would lose.
  package var isUntouched: Bool { changedFields.isEmpty && (password.isEmpty || password.isGiven) }

  // MARK: Focus

  /// Leaves the field, which is checked by that, for the next one; after the last comes the first.
  package mutating func focusNext() { moveFocus(by: 1) }

  package mutating func focusPrevious() { moveFocus(by: -1) }

  package mutating func focus(_ field: ProductField) {
    guard field != focus, fields.contains(field) else { return }
    checkOnLeaving(focus)
    focus = field
    changeEntry { $0.isRepeating = false }
    if case .number = self[field], self[field].text == FormRules[field].initial {
      // What one types takes the place of what is there before anybody typed.
      editors[field]?.apply(TextChange { $0.buffer.selectAll() })
    }
  }

  /// Goes to the password, or to the line where it is typed again.
  package mutating func focusPassword(repeating: Bool) {
    focus(.password)
    guard focus == .password, entry.needsRepetition, entry.isRepeating != repeating else { return }
    checkOnLeaving(.password)
    changeEntry { $0.isRepeating = repeating }
  }

  private mutating func moveFocus(by distance: Int) {
    let fields = fields
    guard let index = fields.firstIndex(of: focus) else { return }
    if focus == .password, entry.needsRepetition, entry.isRepeating == (distance < 0) {
      return focusPassword(repeating: distance > 0)
    }
    defer { if distance < 0, focus == .password { focusPassword(repeating: true) } }
    focus(fields[(index + distance + fields.count) % fields.count])
  }

  // MARK: Changing

  /// Changes the text that has the focus; where that is no text, nothing happens.
  package mutating func edit(_ change: TextChange) {
    guard self[focus].caret != nil else { return }
    editors[focus]?.apply(change)
    cut[focus] = nil
    if focus.kind == .amount { takeCurrency(of: focus) }
    recheck(focus)
    for field in FormRules.fields(under: focus) { recheck(field) }
  }

  /// Puts pasted text into the field that has the focus; false where not all of it was taken.
  package mutating func paste(_ text: String) -> Bool {
    let room = room
    var isWhole = true
    if focus == .password {
      editPassword { isWhole = $0.type(text) }
      return isWhole
    }
    edit(TextChange { isWhole = $0.paste(text) })
    if !isWhole, let room { cut[focus] = max(1, text.count - room) }
    return isWhole
  }

  /// Puts the whole of what was begun into the field that has the focus.
  package mutating func complete(as text: String) {
    edit(
      TextChange {
        $0.buffer.selectAll()
        $0.paste(text)
      })
  }

  /// How many characters of a paste the text with the focus takes; nil for other fields.
  private var room: Int? {
    switch self[focus] {
    case .line(let editor): editor.buffer.room
    case .area(let editor): editor.buffer.room
    case .number, .choice, .photos, .secret: nil
    }
  }

  /// Puts another text in the place of the description, as much of it as has room; what has the focus
  /// keeps it.
  mutating func replaceDescription(with text: String) {
    let focused = focus
    focus(.description)
    edit(TextChange { $0.buffer.selectAll() })
    _ = paste(text)
    focus(focused)
  }

  /// Learns what the market takes, where the form was opened without knowing.
  mutating func learn(_ capabilities: RepositoryCapabilities) {
    self.capabilities = capabilities
    dropLacking()
  }

  /// Empties the fields that the market does not have, since the form does not show them.
  private mutating func dropLacking() {
    let said = purpose == .registration ? values.changedFields(from: FormValues()) : changedFields
    dropped.formUnion(said.intersection(capabilities.lackingFields))
    for field in capabilities.lackingFields {
      original[field] = ""
      editors[field] = editor(of: field, in: original)
      problems[field] = nil
    }
    if !fields.contains(focus) { focus = .name }
  }

  /// Overwrites what was typed as a password.
  mutating func wipePassword() {
    changeEntry { $0.wipe() }
    recheck(.password)
  }

  /// Takes a password that needs no repetition, for it was right before or typed elsewhere.
  package mutating func fillPassword(_ bytes: UnsafeBufferPointer<UInt8>) {
    changeEntry { $0.fill(bytes) }
    recheck(.password)
  }

  /// Shows the password that is being typed, or hides it.
  mutating func togglePassword() { if focus == .password { changeEntry { $0.isShown.toggle() } } }

  mutating func hidePassword() { changeEntry { $0.isShown = false } }

  private mutating func changeEntry(_ change: (inout PasswordEntry) -> Void) {
    guard case .secret(var entry)? = editors[.password] else { return }
    change(&entry)
    editors[.password] = .secret(entry)
  }

  /// What the field that has the focus lets one choose from.
  package var choices: [String] { choices(of: focus) }

  /// What a field lets one choose from, in codes and names; empty for a field of another kind.
  func choices(of field: ProductField) -> [String] {
    switch field.kind {
    case .currency: return currencies.map(\.rawValue)
    case .choice, .flag: return (field.isOptional ? [""] : []) + (field.kind.words ?? [])
    case .line, .text, .amount, .number, .pictures, .password: return []
    }
  }

  /// Chooses for the field that has the focus.
  package mutating func choose(_ choice: String) {
    if choices.contains(choice) { choose(choice, for: focus) }
  }

  /// Chooses a currency, which is not a proposal from then on.
  package mutating func choose(_ currency: Currency) { choose(currency.rawValue, for: .currency) }

  mutating func choose(_ choice: String, for field: ProductField) {
    let isCurrency = field.kind == .currency
    if isCurrency { proposesCurrency = false }
    guard choice != self[field].text else { return }
    editors[field] = .choice(choice)
    problems[field] = nil
    guard isCurrency else { return }
    for amount in Self.amounts { checkOnLeaving(amount) }
  }

  private static let amounts = ProductField.allCases.filter { $0.kind == .amount }

  /// Takes the currency that an amount names, where nobody has chosen one and no other amount names
  /// another.
  private mutating func takeCurrency(of field: ProductField) {
    let named = Self.amounts.compactMap { try? Amount(reading: self[$0].text ?? "").currency }
    guard proposesCurrency, let first = named.first, named.allSatisfy({ $0 == first }),
      first != currency, currencies.contains(first)
    else { return }
    editors[.currency] = .choice(first.rawValue)
    for amount in Self.amounts where amount != field { checkOnLeaving(amount) }
  }

  /// Puts these fields of a draft into the form.
  mutating func restore(_ fields: Set<ProductField>, of draft: Draft) {
    for field in FormValues.choicesFirst + [.pictures] where fields.contains(field) {
      if case .choice = self[field] {
        choose(draft.values[field], for: field)
      } else {
        editors[field] = editor(of: field, in: draft.values)
      }
    }
    dropLacking()
  }
}

// MARK: Fields that are known by name

extension ProductForm {
  package var name: LineEditor {
    if case .line(let editor) = self[.name] { editor } else { LineEditor() }
  }

  package var description: TextEditor {
    if case .area(let editor) = self[.description] { editor } else { TextEditor() }
  }

  package var photos: PhotoList {
    if case .photos(let list) = self[.pictures] { list } else { PhotoList() }
  }

  package var entry: PasswordEntry {
    if case .secret(let entry) = self[.password] { entry } else { PasswordEntry() }
  }

  package var password: PasswordEditor { entry.password }

  package var currency: Currency { Currency(rawValue: self[.currency].text ?? "") }

  /// The currencies that the market takes, and the one that the product has.
  package var currencies: [Currency] {
    let offered =
      switch capabilities.currencies {
      case .only(let list): list
      case .any(let suggested): suggested
      }
    return offered.contains(currency) ? offered : [currency] + offered
  }

  /// Changes the description in ways that only a text of many lines knows.
  package mutating func editDescription(_ change: (inout TextEditor) -> Void) {
    var editor = description
    change(&editor)
    cut[.description] = nil
    editors[.description] = .area(editor)
    recheck(.description)
  }

  /// Changes the password, or what was typed again of it.
  package mutating func editPassword(_ change: (inout PasswordEditor) -> Void) {
    changeEntry { $0.edit(change) }
    recheck(.password)
  }

  package mutating func editPhotos(_ change: (inout PhotoList) -> Void) {
    var list = photos
    change(&list)
    editors[.pictures] = .photos(list)
    recheck(.pictures)
  }
}

// MARK: Checking

extension ProductForm {
  /// What is wrong with a field now; nil where nothing is, or where nothing was changed that decides
  /// over it.
  package func problem(of field: ProductField) -> FieldError.Problem? {
    var deciding = [field]
    if field.kind == .amount { deciding.append(.currency) }
    if let ceiling = FormRules[field].ceiling { deciding.append(ceiling) }
    deciding += FormRules.fields(under: field).filter(values.isPercent)
    guard !purpose.isEdit || !changedFields.isDisjoint(with: deciding) else { return nil }
    let problem = contentProblem(of: field)
    let mayLack = field.isOptional || field == .price && purpose.asked != nil
    return problem == .missing && mayLack ? nil : problem
  }

  private func contentProblem(of field: ProductField) -> FieldError.Problem? {
    if let asked = purpose.asked, field == .price, amount(of: .price) != nil {
      return QuestionRules.problems(of: question, price: asked.product.pricing.price?.toPay)
        .first { $0.field == .price }?.problem
    }
    return FieldCheck(
      field, purpose.rules(of: field), most: FormRules[field].ceiling.flatMap(amount)
    ).problem(in: self[field], among: values)
  }

  /// What an amount means, in hundredths; nil where that cannot be read.
  private func amount(of field: ProductField) -> Int64? {
    if case .amount(let amount) = values.value(of: field) { amount } else { nil }
  }

  /// Checks a field that is being left: one that is still empty is not blamed before all is sent.
  private mutating func checkOnLeaving(_ field: ProductField) {
    let problem = problem(of: field)
    problems[field] = problem == .missing ? nil : problem
    if field == .password {
      blamesRepetition = !entry.repetition.isEmpty && !entry.isRepeated
    }
    for field in FormRules.fields(under: field) { problems[field] = self.problem(of: field) }
  }

  /// Takes a problem back as soon as typing has mended it; says at once what is wrong with a number
  /// that no more typing mends.
  private mutating func recheck(_ field: ProductField) {
    if field == .password, entry.isRepeated { blamesRepetition = false }
    let isNumber = if case .number = self[field] { true } else { false }
    guard problems[field] != nil || isNumber else { return }
    let problem = problem(of: field)
    if problem == nil || isNumber && problem != problems[field] { problems[field] = nil }
    if isNumber, let problem, isBeyondTyping(problem, of: field) { problems[field] = problem }
  }

  private func isBeyondTyping(_ problem: FieldError.Problem, of field: ProductField) -> Bool {
    if case .amount(.otherCurrency) = problem { return true }
    return !Amount.canBegin(self[field].text ?? "")
  }

  /// Checks everything that was changed but for one field; the first field with a problem gets the
  /// focus.
  ///
  /// - Returns: whether the form may be sent.
  package mutating func checkAll(but left: ProductField? = nil) -> Bool {
    for field in fields { problems[field] = field == left ? nil : problem(of: field) }
    blamesRepetition =
      fields.contains(.password) && left != .password && problems[.password] == nil
      && !entry.isRepeated
    return focusFirstProblem()
  }

  /// Puts what a repository refused on its fields.
  package mutating func refuse(_ errors: [FieldError]) {
    (problems, blamesRepetition) = ([:], false)
    for error in errors where problems[error.field] == nil {
      problems[error.field] = error.problem
    }
    _ = focusFirstProblem()
  }

  private mutating func focusFirstProblem() -> Bool {
    let first = fields.first { problems[$0] != nil }
    guard first != nil || blamesRepetition else { return true }
    focus = first ?? .password
    changeEntry { $0.isRepeating = first == nil }
    return false
  }
}

// MARK: Sending

extension ProductForm {
  /// The registration; nil where a field cannot be read or a photo is not ready.
  package func registration() -> ProductRegistration? {
    guard !photos.isBusy, let values = values.fieldValues else { return nil }
    return ProductRegistration(values, pictures: photos.files, password: Password(password))
  }

  /// What was changed and nothing else.
  package func patch() -> ProductPatch {
    let changed = changedFields
    var patch = ProductPatch()
    let values = values
    for field in changed {
      if let value = values.value(of: field) { patch.take([field: value]) }
    }
    if changed.contains(.pictures) { patch.pictures = pictureChange }
    return patch
  }

  /// A market that cannot change pictures may still be told which of them comes first.
  private var pictureChange: ProductPatch.Pictures? {
    guard !capabilities.changesPictures else { return .list(photos.elements) }
    guard case .kept(let picture) = photos.photos.first?.content else { return nil }
    return picture.number.map { .thumbnail(number: $0) }
  }

  /// Whether a product has everything that this form was to change: the answer to an attempt that
  /// got lost on its way back.
  func isContained(in detail: ProductDetail) -> Bool {
    values.changedFields(from: FormValues(detail)).isDisjoint(with: changedFields)
  }

  /// Takes one field over from another form of the same product.
  mutating func take(_ field: ProductField, from other: ProductForm) {
    switch other[field] {
    case .choice(let choice): choose(choice, for: field)
    case .secret: break
    case .line, .area, .number, .photos: editors[field] = other[field]
    }
  }
}

// MARK: Drafts

extension ProductForm {
  /// Places of the caret in the texts, in characters.
  var carets: [ProductField: Int] { editors.compactMapValues(\.caret) }

  /// Puts a draft into the fields: all of them, in an edit those it changes.
  package mutating func restore(_ draft: Draft) {
    restore(
      purpose.isEdit ? draft.changedFields : Set(purpose.fields ?? ProductField.allCases),
      of: draft)
    for (field, caret) in draft.carets {
      editors[field]?.apply(TextChange { $0.buffer.move(to: caret) })
    }
    focus(draft.focus)
  }
}
