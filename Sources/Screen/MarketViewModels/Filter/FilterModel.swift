package import EditorKit
package import MarketModel

/// The filter box: the request by which the products are shown, as fields.
///
/// Results follow as one changes them, and leaving it with Esc brings back what was shown before.
package final class FilterModel: Layer {
  package enum Field: Hashable, Sendable, CaseIterable {
    case words, priceFrom, priceTo
    case choice(ProductField)
    case place, sale, stock, seller, age, order, scope

    package static let allCases: [Field] =
      [.words, .priceFrom, .priceTo] + ProductField.choices.map(Field.choice)
      + [.place, .sale, .stock, .seller, .age, .order, .scope]

    package static let currency = choice(.currency)

    /// The parts of a query that the field sets; none for order and scope.
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

  /// What a field lets one choose.
  package enum Choice: Hashable, Sendable {
    /// Nothing is said.
    case any
    case filter(ProductFilter)
    /// Any of these answers.
    case answers(Set<String>, of: ProductField)
    case age(SearchAge)
    case order(ProductOrder)
    case scope(SearchScope)
  }

  @Observed package private(set) var focus = Field.words
  @Observed package private(set) var request: SearchRequest
  package let searching: SearchController

  @Observed private var editors: [Field: FieldEditor]
  /// Whether the currency is one that an amount names and nobody has chosen.
  @Observed private var namesCurrency = false
  private let placeBefore: BrowsedList.Position
  /// The names of the markets that may be searched instead.
  private let marketNames: [String]

  private static let maxAmountLength = 120
  private static let ages = [
    SearchAge(1, .day), SearchAge(7, .day), SearchAge(1, .month), SearchAge(1, .year),
  ].compactMap(\.self)

  package init(searching: SearchController, marketNames: [String] = []) {
    self.searching = searching
    self.marketNames = marketNames
    let request = searching.request
    self.request = request
    placeBefore = searching.browser.place
    searching.begin()
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

  /// What a text is edited by; nil for a field of choices.
  package func editor(of field: Field) -> FieldEditor? { editors[field] }

  /// Why a field counts for nothing here; nil where it counts.
  package func note(for field: Field) -> SearchController.Note? {
    let notes = field.parts.map(searching.note)
    // Words may still be found where phrases are not.
    return notes.contains(nil) ? nil : notes.first ?? nil
  }

  /// Why a choice cannot be had here; nil where it can.
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

  /// Whether the field with the focus is one of choices.
  package var isOnChoice: Bool { editors[focus] == nil }

  /// What the place that has the focus becomes; nil where no product that is loaded has one.
  package var completion: String? {
    guard focus == .place, case .line(let editor) = editors[.place] else { return nil }
    return searching.place(begunBy: editor)
  }

  /// Puts the whole place there.
  package func complete() {
    guard let completion else { return }
    edit(
      TextChange {
        $0.buffer.selectAll()
        $0.paste(completion)
      })
  }

  // MARK: Changing

  /// Changes the text with the focus.
  package func edit(_ change: TextChange) {
    let before = editors[focus]?.text
    editors[focus]?.apply(change)
    guard let text = editors[focus]?.text, text != before else { return }
    take(text, of: focus)
    ask()
  }

  private func take(_ text: String, of field: Field) {
    switch field {
    case .words: request.terms = SearchRequest.terms(reading: text)
    case .seller: request.sellers = SearchRequest.sellers(reading: text)
    case .place: request.place = text.trimmed
    case .priceFrom, .priceTo: takeBounds(namingCurrency: field)
    case .choice, .sale, .stock, .age, .order, .scope: break
    }
  }

  /// Takes both bounds; a currency that the text of a field names is taken where none was chosen.
  private func takeBounds(namingCurrency field: Field? = nil) {
    let named = field.flatMap { try? Amount(reading: editors[$0]?.text ?? "").currency }
    if let named, namesCurrency || request.currency == nil {
      request.currency = named
      namesCurrency = true
    }
    request.price = PriceRange(
      minimum: try? bound(.priceFrom), maximum: try? bound(.priceTo))
  }

  /// The hundredths that stand in a field of a price; nil where nothing does.
  private func bound(_ field: Field) throws(AmountError) -> Int64? {
    guard let text = editors[field]?.text, !text.isEmpty else { return nil }
    let amount = try Amount(reading: text)
    guard let currency = request.currency else { return amount.hundredths }
    return try amount.hundredths(in: currency)
  }

  /// What is wrong with a field of a price; where it has the focus, as far as no more typing mends it.
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

  /// Goes to the first field of a price that cannot be read.
  ///
  /// - Returns: what is wrong with it; nil where nothing is.
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

  /// The digits in groups that a field of a price is read as; nil where it has none.
  package func grouped(_ field: Field) -> String? {
    guard field.parts == [.price] else { return nil }
    return (try? bound(field)).map {
      String(hundredths: $0, decimals: .shortest, isGrouped: true)
    }
  }

  /// What a field lets one choose; empty for texts.
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

  /// What is chosen in a field.
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

  /// Goes on among the choices of the field with the focus; what cannot be had is passed over, and
  /// left for the first of them where it is what is chosen.
  package func choose(by step: Int) {
    let choices = choices(of: focus).filter { note(for: $0) == nil }
    guard note(for: focus) == nil, let first = choices.first else { return }
    let index = choices.firstIndex(of: choice(of: focus))
    take(index.map { choices[($0 + step + choices.count) % choices.count] } ?? first)
    ask()
  }

  /// Takes away what the field with the focus says.
  package func clear() {
    if isOnChoice, let first = choices(of: focus).first {
      take(first)
      ask()
    } else {
      edit(
        TextChange { editor in
          editor.buffer.selectAll()
          editor.delete(.left)
        })
    }
  }

  private func take(_ choice: Choice) {
    switch choice {
    case .any:
      for part in focus.parts { request = request.without(part) }
      if focus == .currency {
        namesCurrency = false
        takeBounds()
      }
    case .filter(let filter):
      for part in focus.parts { request = request.without(part) }
      request.filters.insert(filter)
    case .answers(let answers, let field):
      request.choices[field] = answers
      guard field == .currency else { return }
      namesCurrency = false
      takeBounds()
    case .age(let age): request.age = age
    case .order(let order): request.order = order
    case .scope(let scope): request.scope = scope
    }
  }

  /// Each answer by itself, what is used together, and what was chosen otherwise.
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

  /// Shows at once what the fields say.
  package func confirm() -> SearchExit? { searching.confirm(request, from: placeBefore) }

  /// Goes back to what was shown before the box was opened.
  package func cancel() { searching.leave(to: placeBefore) }
}

extension FilterModel {
  /// Opens the box, or says that the market has not said yet what it can do.
  package static func open(on navigator: Navigator) {
    guard navigator.browser.capabilities != nil else {
      return navigator.announce(.hint(.noAnswerYet))
    }
    navigator.stack.push(
      FilterModel(searching: navigator.searching, marketNames: navigator.markets?.names ?? []))
  }
}
