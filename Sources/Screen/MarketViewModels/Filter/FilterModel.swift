package import EditorKit
package import MarketModel

/// Filter dialog: the fields of the current search request.
///
/// The list follows each change; Esc restores the list as it was.
package final class FilterModel: Layer {
  /// Field of the dialog, in the order of the focus.
  package enum Field: Hashable, Sendable, CaseIterable {
    case words, priceFrom, priceTo
    case choice(ProductField)
    case place, sale, stock, seller, age, order, scope

    package static let allCases: [Field] =
      [.words, .priceFrom, .priceTo] + ProductField.choices.map(Field.choice)
      + [.place, .sale, .stock, .seller, .age, .order, .scope]

    package static let currency = choice(.currency)

    /// Parts of a query that the field sets; empty for order and scope.
    package var parts: [QueryPart] {
      switch self {
      case .words: [.words, .phrases, .without]
      case .priceFrom, .priceTo: [.price]
      case .choice(let field): [.choice(field)]
      case .sale: [.reduced]
      case .place: [.place]
      case .stock: ProductFilter.ofStock.map(QueryPart.filter)
      case .seller: [.seller]
      case .age: [.since]
      case .order, .scope: []
      }
    }
  }

  /// Choice in a field.
  package enum Choice: Hashable, Sendable {
    /// No condition.
    case any
    case filter(ProductFilter)
    /// Any of these answers of a field.
    case answers(Set<String>, of: ProductField)
    case age(SearchAge)
    case order(ProductOrder)
    case scope(SearchScope)
  }

  @Observed package private(set) var focus = Field.words
  @Observed package private(set) var request: SearchRequest
  package let searching: SearchController

  @Observed private var editors: [Field: FieldEditor]
  /// Whether the currency comes from a typed amount; the user may then type another one.
  @Observed private var namesCurrency = false
  private let placeBefore: ProductList.Snapshot
  /// Names of the markets that can be searched instead.
  private let marketNames: [String]

  /// Maximum characters of an amount; longer than any valid one.
  private static let maxAmountLength = 120
  private static let ages = [
    SearchAge(1, .day), SearchAge(7, .day), SearchAge(1, .month), SearchAge(1, .year),
  ].compactMap(\.self)

  package init(searching: SearchController, marketNames: [String] = []) {
    self.searching = searching
    self.marketNames = marketNames
    let request = searching.request
    self.request = request
    placeBefore = searching.browser.list.snapshot
    searching.prepare()
    editors = [
      .words: .line(LineEditor(request.termsText, limit: SearchModel.maxLineLength)),
      .seller: .line(LineEditor(request.sellersText, limit: SearchModel.maxLineLength)),
      .place: .line(LineEditor(request.place, limit: TextLimit.place.characters.upperBound)),
      .priceFrom: .number(Self.amount(request.price.minimum)),
      .priceTo: .number(Self.amount(request.price.maximum)),
    ]
  }

  private static func amount(_ hundredths: Int64?) -> LineEditor {
    LineEditor(
      hundredths.map { String(hundredths: max(0, $0), decimals: .shortest) } ?? "",
      limit: maxAmountLength)
  }

  // MARK: Fields

  /// Text editor of a field; nil for a field of choices.
  package func editor(of field: Field) -> FieldEditor? { editors[field] }

  /// Reason why the market ignores a field; nil if it does not.
  package func note(for field: Field) -> SearchController.Note? {
    let notes = field.parts.map(searching.note)
    // Words may be searchable although phrases are not.
    return notes.contains(nil) ? nil : notes.first ?? nil
  }

  /// Reason why the market lacks a choice; nil if it does not.
  package func note(for choice: Choice) -> SearchController.Note? {
    switch choice {
    case .order(let order): searching.note(for: order)
    case .filter(let filter): searching.note(for: .filter(filter))
    case .any, .answers, .age, .scope: nil
    }
  }

  package func moveFocus(by step: Int) {
    let fields = Field.allCases
    guard let index = fields.firstIndex(of: focus) else { return }
    focus = fields[(index + step + fields.count) % fields.count]
  }

  package func focus(_ field: Field) { focus = field }

  /// Whether the focused field has choices.
  package var isOnChoice: Bool { editors[focus] == nil }

  /// Completion of the focused place; nil if no loaded product has a matching one.
  package var completion: String? {
    guard focus == .place, case .line(let editor) = editors[.place] else { return nil }
    return searching.place(begunBy: editor)
  }

  /// Completes the focused place.
  package func complete() {
    guard let completion else { return }
    edit(
      TextChange {
        $0.buffer.selectAll()
        $0.paste(completion)
      })
  }

  // MARK: Changing

  /// Edits the focused text; the list follows after a pause.
  package func edit(_ change: TextChange) {
    let before = editors[focus]?.text
    editors[focus]?.apply(change)
    guard let text = editors[focus]?.text, text != before else { return }
    apply(text, of: focus)
    ask()
  }

  private func apply(_ text: String, of field: Field) {
    switch field {
    case .words: request.terms = SearchRequest.terms(reading: text)
    case .seller: request.sellers = SearchRequest.sellers(reading: text)
    case .place: request.place = text.trimmed
    case .priceFrom, .priceTo: applyBounds(namingCurrency: field)
    case .choice, .sale, .stock, .age, .order, .scope: break
    }
  }

  /// Reads both bounds; a currency in the text of `field` is taken over if the user has chosen none.
  private func applyBounds(namingCurrency field: Field? = nil) {
    let named = field.flatMap { try? Amount(reading: editors[$0]?.text ?? "").currency }
    if let named, namesCurrency || request.currency == nil {
      request.currency = named
      namesCurrency = true
    }
    request.price = PriceRange(
      minimum: try? bound(.priceFrom), maximum: try? bound(.priceTo))
  }

  /// Bound of a price field, in hundredths; nil if it is empty.
  private func bound(_ field: Field) throws(AmountError) -> Int64? {
    guard let text = editors[field]?.text, !text.isEmpty else { return nil }
    let amount = try Amount(reading: text)
    guard let currency = request.currency else { return amount.hundredths }
    return try amount.hundredths(in: currency)
  }

  /// Problem of a price field; nil if there is none, or further typing may fix the focused one.
  package func problem(of field: Field) -> AmountError? {
    guard field.parts == [.price] else { return nil }
    do throws(AmountError) {
      _ = try bound(field)
      return nil
    } catch {
      if case .otherCurrency = error { return error }
      let isOpen = field == focus && Amount.canBegin(editors[field]?.text ?? "")
      return isOpen ? nil : error
    }
  }

  /// Focuses the first price field that cannot be read.
  ///
  /// - Returns: its error; nil if there is none.
  package func leadToProblem() -> AmountError? {
    for field in [Field.priceFrom, .priceTo] {
      do throws(AmountError) {
        _ = try bound(field)
      } catch {
        focus = field
        return error
      }
    }
    return nil
  }

  /// Bound of a price field with grouped digits; nil if there is none.
  package func grouped(_ field: Field) -> String? {
    guard field.parts == [.price] else { return nil }
    return (try? bound(field)).map {
      String(hundredths: $0, decimals: .shortest, isGrouped: true)
    }
  }

  /// Choices of a field; empty for texts.
  package func choices(of field: Field) -> [Choice] {
    switch field {
    case .words, .place, .seller, .priceFrom, .priceTo: []
    case .choice(let field): [.any] + answers(of: field).map { .answers($0, of: field) }
    case .sale: [.any, .filter(.reduced)]
    case .stock: [.any] + ProductFilter.ofStock.map(Choice.filter)
    case .age: [.any] + ages.map(Choice.age)
    case .order: ProductOrder.allCases.map(Choice.order)
    case .scope: scopes.map(Choice.scope)
    }
  }

  /// The selected choice of a field; `.any` for texts.
  package func choice(of field: Field) -> Choice {
    switch field {
    case .words, .place, .seller, .priceFrom, .priceTo: .any
    case .choice(let field): request.choices[field].map { .answers($0, of: field) } ?? .any
    case .sale: request.filters.contains(.reduced) ? .filter(.reduced) : .any
    case .stock:
      ProductFilter.ofStock.last(where: request.filters.contains).map(Choice.filter) ?? .any
    case .age: request.age.map(Choice.age) ?? .any
    case .order: .order(request.order)
    case .scope: .scope(request.scope)
    }
  }

  /// Selects the next choice of the focused field.
  ///
  /// Choices that the market lacks are skipped; after a selected choice that it lacks comes the first
  /// one that it has.
  package func choose(by step: Int) {
    let choices = offered
    guard let first = choices.first else { return }
    let index = choices.firstIndex(of: choice(of: focus))
    apply(index.map { choices[($0 + step + choices.count) % choices.count] } ?? first)
    ask()
  }

  /// Whether the focused field has so many choices that they are a list.
  package var hasManyChoices: Bool { offered.count > ChoiceModel.maxShort }

  /// Choices of the focused field that the market has.
  private var offered: [Choice] {
    note(for: focus) == nil ? choices(of: focus).filter { note(for: $0) == nil } : []
  }

  /// Opens the choices of the focused field as a list; the list of products follows the chosen one.
  package func openChoices(on stack: LayerStack) {
    let (choices, ids) = (offered, offered.indices.map(String.init))
    let selected = choices.firstIndex(of: choice(of: focus)).map { ids[$0] } ?? ""
    stack.startFlow { [self] flow in
      let list = ChoiceModel(ids, selected: selected, of: .filter(focus, choices))
      guard let id = await flow.present(list), let index = Int(id) else { return }
      apply(choices[index])
      ask()
    }
  }

  /// Clears the focused field.
  package func clear() {
    if isOnChoice, let first = choices(of: focus).first {
      apply(first)
      ask()
    } else {
      edit(
        TextChange { editor in
          editor.buffer.selectAll()
          editor.delete(.left)
        })
    }
  }

  private func apply(_ choice: Choice) {
    switch choice {
    case .any:
      for part in focus.parts { request = request.without(part) }
      if focus == .currency {
        namesCurrency = false
        applyBounds()
      }
    case .filter(let filter):
      for part in focus.parts { request = request.without(part) }
      request.filters.insert(filter)
    case .answers(let answers, let field):
      request.choices[field] = answers
      guard field == .currency else { return }
      namesCurrency = false
      applyBounds()
    case .age(let age): request.age = age
    case .order(let order): request.order = order
    case .scope(let scope): request.scope = scope
    }
  }

  /// Offered answers of a field: each by itself, the group of used conditions, and another current
  /// selection.
  private func answers(of field: ProductField) -> [Set<String>] {
    var offered = offeredNames(of: field).map { Set([$0]) }
    if field == .condition { offered.insert(ProductCondition.used, at: 1) }
    return offered + [request.choices[field]].compactMap(\.self).filter { !offered.contains($0) }
  }

  private func offeredNames(of field: ProductField) -> [String] {
    if case .choice(let names) = field.kind { return names }
    let currencies: [Currency] =
      switch searching.browser.capabilities?.currencies {
      case .only(let list): list
      case .any(let suggested): suggested
      case nil: [.krw, .usd]
      }
    return currencies.map(\.rawValue)
  }

  private var ages: [SearchAge] {
    Self.ages + [request.age].compactMap(\.self).filter { !Self.ages.contains($0) }
  }

  private var scopes: [SearchScope] {
    let known = [.here, .all, .home] + marketNames.map(SearchScope.market)
    return known.contains(request.scope) ? known : known + [request.scope]
  }

  private func ask() { searching.ask(for: request, after: SearchModel.pause) }

  // MARK: Leaving

  /// Shows the results at once; nil unless the request is for other markets.
  package func confirm() -> SearchExit? { searching.confirm(request, from: placeBefore) }

  /// Restores the list as it was before the dialog.
  package func cancel() { searching.leave(to: placeBefore) }
}

extension FilterModel {
  /// Opens the dialog, or announces that the market's capabilities are not known yet.
  package static func open(on navigator: Navigator) {
    guard navigator.browser.capabilities != nil else {
      return navigator.announce(.hint(.noAnswerYet))
    }
    navigator.stack.push(
      FilterModel(searching: navigator.searching, marketNames: navigator.markets?.names ?? []))
  }
}
