package import EditorKit
package import MarketModel

/// Form of a registration, an edit, a question or an answer: its fields, focus and problems.
///
/// A pure value: it reads and sends nothing.
package struct ProductForm {
  /// Purpose of the form, with the product or question it is about.
  package enum Purpose: Hashable, Sendable {
    case registration
    /// The product as it was read.
    case edit(ProductDetail)
    /// Question about a product; `asksName` if the seller has no name yet.
    case question(ProductDetail, asksName: Bool)
    case answer(Question, ProductDetail)
  }

  package let purpose: Purpose
  package private(set) var capabilities: RepositoryCapabilities
  package private(set) var focus: ProductField {
    didSet { hidePassword() }
  }
  package private(set) var problems: [ProductField: FieldError.Problem] = [:]
  /// Whether the repetition differs from the password.
  package private(set) var blamesRepetition = false
  /// Number of characters of the last paste that were cut, by field; cleared by the next edit.
  package private(set) var cut: [ProductField: Int] = [:]

  private var editors: [ProductField: FieldEditor] = [:]
  /// Initial values; unchanged fields are neither checked nor sent.
  private var original: FormValues
  /// Fields with a value that the market lacks; they are empty now.
  package internal(set) var dropped: Set<ProductField> = []
  /// Whether the seller has no name on the market yet, so that the form asks for it.
  private var asksForSeller = false
  /// Whether an amount that names another currency changes the currency: the user has chosen none.
  private var proposesCurrency = false

  /// Makes a form with its initial values.
  ///
  /// - Parameters:
  ///   - purpose: purpose of the form.
  ///   - capabilities: capabilities of the market.
  ///   - start: initial values of a new product; nil for an empty form.
  ///   - currency: proposed currency of an empty form; nil for the default.
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

  /// Fields in the order of the focus: the password only for a new product, the state of sale only
  /// for a listed one, the seller only for a first product.
  package var fields: [ProductField] {
    if let fields = purpose.fields { return fields }
    let others = purpose == .registration ? ProductField.ofListed : [.password]
    let fields = ProductField.allCases.filter {
      !others.contains($0) && !capabilities.lackingFields.contains($0)
    }
    guard asksForSeller, capabilities.queriesBySeller else { return fields }
    return fields.filter { $0 != .password } + ProductField.ofSeller + [.password]
  }

  /// Adds the fields of a seller without a name, with what the market knows of the seller; nil if that
  /// is nothing.
  package mutating func askForSeller(_ known: Seller?) {
    asksForSeller = true
    original[.sellerName] = known.flatMap { $0.isNamed ? $0.name : nil } ?? ""
    original[.sellerContact] = known?.contact?.text ?? ""
    for field in ProductField.ofSeller { editors[field] = editor(of: field, in: original) }
  }

  /// Name and contact that the form asks for; nil if it asks for none, or the contact is invalid.
  var sellerChange: SellerChange? {
    guard fields.contains(.sellerName),
      let contact = SellerChange.Contact(entered: values[.sellerContact])
    else { return nil }
    return SellerChange(name: values[.sellerName].trimmed, contact: contact)
  }

  /// Editor of a field.
  package subscript(field: ProductField) -> FieldEditor {
    editors[field] ?? editor(of: field, in: FormValues())
  }

  private func editor(of field: ProductField, in values: FormValues) -> FieldEditor {
    FieldEditor(of: field, in: values, purpose.rules(of: field))
  }

  /// Values of all fields.
  package var values: FormValues {
    FormValues(editors.compactMapValues(\.text), photos: photos.photos)
  }

  package var changedFields: Set<ProductField> { values.changedFields(from: original) }

  /// Initial and current values of the changed fields.
  package var changes: FieldChanges { FieldChanges(from: original, to: values) }

  /// Whether leaving the form loses nothing.
  package var isUntouched: Bool { changedFields.isEmpty && (password.isEmpty || password.isGiven) }

  // MARK: Focus

  /// Checks the field and moves the focus to the next one; after the last follows the first.
  package mutating func focusNext() { moveFocus(by: 1) }

  package mutating func focusPrevious() { moveFocus(by: -1) }

  package mutating func focus(_ field: ProductField) {
    guard field != focus, fields.contains(field) else { return }
    checkOnLeaving(focus)
    focus = field
    changeEntry { $0.isRepeating = false }
    if case .number = self[field], self[field].text == FormRules[field].initial {
      // Typing replaces the initial number.
      editors[field]?.apply(TextChange { $0.buffer.selectAll() })
    }
  }

  /// Focuses the password, or its repetition.
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

  /// Edits the text of the focused field; does nothing for a field without a text.
  package mutating func edit(_ change: TextChange) {
    guard self[focus].caret != nil else { return }
    editors[focus]?.apply(change)
    cut[focus] = nil
    if focus.kind == .amount { takeCurrency(of: focus) }
    recheck(focus)
    for field in FormRules.fields(under: focus) { recheck(field) }
  }

  /// Pastes a text into the focused field; false if it was cut.
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

  /// Replaces the content of the focused field by a completion.
  package mutating func complete(as text: String) {
    edit(
      TextChange {
        $0.buffer.selectAll()
        $0.paste(text)
      })
  }

  /// Number of characters that fit into the focused text; nil for other fields.
  private var room: Int? {
    switch self[focus] {
    case .line(let editor): editor.buffer.room
    case .area(let editor): editor.buffer.room
    case .number, .choice, .photos, .secret: nil
    }
  }

  /// Replaces the description by a text, cut to its maximum; the focus stays.
  mutating func replaceDescription(with text: String) {
    let focused = focus
    focus(.description)
    edit(TextChange { $0.buffer.selectAll() })
    _ = paste(text)
    focus(focused)
  }

  /// Sets the capabilities of a form that was opened without them.
  mutating func learn(_ capabilities: RepositoryCapabilities) {
    self.capabilities = capabilities
    dropLacking()
  }

  /// Clears the fields that the market does not have; the form does not show them.
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

  /// Overwrites the typed password in memory.
  mutating func wipePassword() {
    changeEntry { $0.wipe() }
    recheck(.password)
  }

  /// Sets a password that needs no repetition: from the cache, or typed in another dialog.
  package mutating func fillPassword(_ bytes: UnsafeBufferPointer<UInt8>) {
    changeEntry { $0.fill(bytes) }
    recheck(.password)
  }

  /// Shows or hides the password if it has the focus.
  mutating func togglePassword() { if focus == .password { changeEntry { $0.isShown.toggle() } } }

  mutating func hidePassword() { changeEntry { $0.isShown = false } }

  private mutating func changeEntry(_ change: (inout PasswordEntry) -> Void) {
    guard case .secret(var entry)? = editors[.password] else { return }
    change(&entry)
    editors[.password] = .secret(entry)
  }

  package var choices: [String] { choices(of: focus) }

  /// Choices of a field, as codes and names; empty for other kinds.
  func choices(of field: ProductField) -> [String] {
    switch field.kind {
    case .currency: return currencies.map(\.rawValue)
    case .choice, .flag: return (field.isOptional ? [""] : []) + (field.kind.words ?? [])
    case .line, .text, .amount, .number, .pictures, .password: return []
    }
  }

  /// Sets the focused field to one of its choices; ignores others.
  package mutating func choose(_ choice: String) {
    if choices.contains(choice) { choose(choice, for: focus) }
  }

  /// Chooses a currency, which amounts do not change from then on.
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

  /// Takes the currency of an amount over, if the user has chosen none and the amounts name only one.
  private mutating func takeCurrency(of field: ProductField) {
    let named = Self.amounts.compactMap { try? Amount(reading: self[$0].text ?? "").currency }
    guard proposesCurrency, let first = named.first, named.allSatisfy({ $0 == first }),
      first != currency, currencies.contains(first)
    else { return }
    editors[.currency] = .choice(first.rawValue)
    for amount in Self.amounts where amount != field { checkOnLeaving(amount) }
  }

  /// Sets fields to the values of a draft.
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

// MARK: Fields by name

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

  /// Currencies that the market accepts, and that of the product.
  package var currencies: [Currency] {
    let offered =
      switch capabilities.currencies {
      case .only(let list): list
      case .any(let suggested): suggested
      }
    return offered.contains(currency) ? offered : [currency] + offered
  }

  /// Edits the description by multi-line commands.
  package mutating func editDescription(_ change: (inout TextEditor) -> Void) {
    var editor = description
    change(&editor)
    cut[.description] = nil
    editors[.description] = .area(editor)
    recheck(.description)
  }

  /// Edits the password or its repetition.
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
  /// Problem of a field; nil if there is none, or neither the field nor one that it depends on was
  /// changed.
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

  /// Amount of a field, in hundredths; nil if it cannot be read.
  private func amount(of field: ProductField) -> Int64? {
    if case .amount(let amount) = values.value(of: field) { amount } else { nil }
  }

  /// Checks a field that loses the focus; an empty one is only reported when the form is sent.
  private mutating func checkOnLeaving(_ field: ProductField) {
    let problem = problem(of: field)
    problems[field] = problem == .missing ? nil : problem
    if field == .password {
      blamesRepetition = !entry.repetition.isEmpty && !entry.isRepeated
    }
    for field in FormRules.fields(under: field) { problems[field] = self.problem(of: field) }
  }

  /// Clears a problem that was fixed by typing; reports at once a number that further typing cannot
  /// fix.
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

  /// Checks all fields but `left`; the first one with a problem gets the focus.
  ///
  /// - Returns: true if there is no problem.
  package mutating func checkAll(but left: ProductField? = nil) -> Bool {
    for field in fields { problems[field] = field == left ? nil : problem(of: field) }
    blamesRepetition =
      fields.contains(.password) && left != .password && problems[.password] == nil
      && !entry.isRepeated
    return focusFirstProblem()
  }

  /// Shows the errors of a repository at their fields.
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
  /// The registration; nil if a field cannot be read or a photo is not ready.
  package func registration() -> ProductRegistration? {
    guard !photos.isBusy, let values = values.fieldValues else { return nil }
    return ProductRegistration(values, pictures: photos.files, password: Password(password))
  }

  /// The changed fields.
  package func patch() -> ProductPatch {
    let changed = changedFields
    var patch = ProductPatch()
    let values = values
    for field in changed {
      if let value = values.value(of: field) { patch.set([field: value]) }
    }
    if changed.contains(.pictures) { patch.pictures = pictureChange }
    return patch
  }

  /// A market that cannot change pictures may still accept another thumbnail.
  private var pictureChange: ProductPatch.Pictures? {
    guard !capabilities.changesPictures else { return .list(photos.elements) }
    guard case .kept(let picture) = photos.photos.first?.content else { return nil }
    return picture.number.map { .thumbnail(number: $0) }
  }

  /// Whether a product has all changes of this form: then a lost attempt has succeeded.
  func isContained(in detail: ProductDetail) -> Bool {
    values.changedFields(from: FormValues(detail)).isDisjoint(with: changedFields)
  }

  /// Takes a field over from another form of the same product.
  mutating func copy(_ field: ProductField, from other: ProductForm) {
    switch other[field] {
    case .choice(let choice): choose(choice, for: field)
    case .secret: break
    case .line, .area, .number, .photos: editors[field] = other[field]
    }
  }
}

// MARK: Drafts

extension ProductForm {
  /// Positions of the carets, in characters.
  var carets: [ProductField: Int] { editors.compactMapValues(\.caret) }

  /// Sets the fields to the values of a draft; in an edit only the changed ones.
  package mutating func restore(_ draft: Draft) {
    // What is known of the seller stays where the draft has nothing.
    let seller = ProductField.ofSeller.filter { asksForSeller && !draft.values[$0].isEmpty }
    restore(
      purpose.isEdit ? draft.changedFields : Set(purpose.fields ?? ProductField.allCases + seller),
      of: draft)
    for (field, caret) in draft.carets {
      editors[field]?.apply(TextChange { $0.buffer.move(to: caret) })
    }
    focus(draft.focus)
  }
}
