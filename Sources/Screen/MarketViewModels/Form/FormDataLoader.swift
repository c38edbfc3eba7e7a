internal import MarketModel

/// Source of the values in a new product's form.
enum FormSource {
  /// Product of the market, with its photos.
  case product(Product.ID)
  case template(Draft)
  /// Only the currency of the last registration.
  case another(Currency)
}

/// Form filled from a source.
struct OpenedForm {
  let form: ProductForm
  /// Whether the market's capabilities could not be read.
  let isGuessed: Bool
  /// Numbers of the photos that could not be read, from 1.
  let lostPhotos: [Int]
}

/// Loader of the initial values of a form from the market and the drafts.
struct FormDataLoader {
  let services: SellingServices

  /// Form of a new product, with the values of a draft; nil for none.
  ///
  /// Without a connection the capabilities are the cached ones, or else those of an own store; what
  /// the market refuses is shown when the form is sent.
  /// - Throws: what `ProductRepository.capabilities()` throws, unless it `isOutage`.
  func registration(
    from draft: Draft?
  ) async throws(RepositoryError) -> (form: ProductForm, isGuessed: Bool) {
    var (form, isGuessed) = try await form(from: draft == nil ? nil : .initial)
    if let draft { form.restore(draft) }
    return (form, isGuessed)
  }

  /// Form of a new product with the values of a source.
  /// - Throws: what `capabilities()` throws, unless it `isOutage`; for a product, what `detail(of:)`
  ///   throws.
  func registration(from source: FormSource) async throws(RepositoryError) -> OpenedForm {
    var lost: [Int] = []
    var start: FormValues?
    var sold: Currency?
    switch source {
    case .another(let currency): sold = currency
    case .template(let draft): start = draft.values.forNewProduct
    case .product(let id):
      let detail = try await services.repository.detail(of: id)
      let photos = await copies(of: detail.pictures)
      lost = photos.indices.filter { photos[$0] == nil }.map { $0 + 1 }
      start = FormValues(detail)
      start?.photos = photos.compactMap(\.self)
    }
    let (form, isGuessed) = try await form(from: start, proposing: sold)
    return OpenedForm(form: form, isGuessed: isGuessed, lostPhotos: lost)
  }

  private func form(
    from start: FormValues?, proposing sold: Currency? = nil
  ) async throws(RepositoryError) -> (form: ProductForm, isGuessed: Bool) {
    let known: RepositoryCapabilities?
    do throws(RepositoryError) {
      known = try await services.repository.capabilities()
    } catch {
      guard error.isOutage else { throw error }
      known = nil
    }
    let remembered = known == nil ? await services.seen?.cachedCapabilities() : nil
    let capabilities = known ?? remembered ?? .full
    var currency = sold
    if start == nil, sold == nil {
      currency = await services.proposedCurrency(capabilities, isKnown: known != nil)
    }
    var form = ProductForm(
      .registration, capabilities: capabilities, from: start, proposing: currency)
    let account = await services.accounts.known()
    if account?.name == nil { form.askForSeller(account?.seller) }
    return (form, known == nil)
  }

  /// Copies of pictures as files for another product; nil for one that cannot be read.
  private func copies(of pictures: [Picture]) async -> [FormPhoto?] {
    var copies: [FormPhoto?] = []
    for picture in pictures.prefix(FormRules.photoCount.upperBound) {
      guard let bytes = try? await services.pictures.bytes(of: picture, .original),
        let prepared = try? await services.photos.encode(bytes)
      else {
        copies.append(nil)
        continue
      }
      copies.append(
        FormPhoto(
          id: FormPhoto.ID(rawValue: "photo:" + services.makeToken()), name: "",
          content: .ready(prepared)))
    }
    return copies
  }

  /// Form of a product in its current version, and the draft of an edit of it, nil if there is none.
  /// - Throws: what `capabilities()` and `detail(of:)` of the repository throw.
  func edit(of id: Product.ID) async throws(RepositoryError) -> (form: ProductForm, left: Draft?) {
    let capabilities = try await services.repository.capabilities()
    let detail = try await services.repository.detail(of: id)
    let left = await services.drafts.drafts().first { $0.target == .edit(id) }
    return (ProductForm(.edit(detail), capabilities: capabilities), left)
  }

  /// Form of a product in its current version, with a change.
  /// - Throws: what `edit(of:)` throws; `.invalid` if the product does not take the change.
  func form(
    of id: Product.ID, with change: BulkChange
  ) async throws(RepositoryError) -> ProductForm {
    let capabilities = try await services.repository.capabilities()
    let detail = try await services.repository.detail(of: id)
    return try filled(ProductForm(.edit(detail), capabilities: capabilities), with: change)
  }

  /// Form of a product in its current version with a step of its sale, and the draft of an edit of
  /// it, nil if there is none.
  /// - Throws: what `edit(of:)` throws; `.invalid` if the product does not take the step.
  func form(
    of id: Product.ID, making step: SaleStep
  ) async throws(RepositoryError) -> (form: ProductForm, left: Draft?) {
    let (form, left) = try await edit(of: id)
    return (try filled(form, making: step), left)
  }

  /// Form as `form(of:making:)` makes it, without the market: from the cached product and its draft.
  /// - Throws: `.invalid` if the product does not take the step.
  func rememberedForm(
    of product: Product, making step: SaleStep
  ) async throws(RepositoryError) -> (form: ProductForm, left: Draft?) {
    let capabilities = await services.seen?.cachedCapabilities()
    let detail = await services.seen?.cachedDetail(of: product.id)?.value
    let left = await services.drafts.drafts().first { $0.target == .edit(product.id) }
    var form = ProductForm(
      .edit(detail ?? ProductDetail(product: product)), capabilities: capabilities ?? .full)
    if let left { form.restore(left) }
    // A sale removes a reservation of the draft.
    if step == .sell { form = try filled(form, making: .endReservation) }
    return (try filled(form, making: step), left)
  }

  private func filled(
    _ form: ProductForm, making step: SaleStep
  ) throws(RepositoryError) -> ProductForm {
    guard case .edit(let detail) = form.purpose else { return form }
    return try filled(form, with: step.change(of: detail.product))
  }

  private func filled(
    _ form: ProductForm, with change: BulkChange
  ) throws(RepositoryError) -> ProductForm {
    guard case .edit(let detail) = form.purpose else { return form }
    var filling = FormFiller(form)
    if let error = filling.fill(try change.texts(for: detail.product)) { throw .invalid([error]) }
    var form = filling.form
    guard form.checkAll() else {
      throw .invalid([FieldError(form.focus, form.problems[form.focus] ?? .unreadable)])
    }
    return form
  }

  /// Files of the photos that an edit removes, as far as they can be read, added to the known ones.
  func photos(
    removedBy form: ProductForm, besides known: [FormPhoto.ID: [UInt8]]
  ) async -> [FormPhoto.ID: [UInt8]] {
    guard case .edit(let base) = form.purpose else { return known }
    let kept = Set(form.photos.photos.map(\.id))
    var removed = known
    for picture in base.pictures {
      let id = FormPhoto.ID(of: picture)
      guard !kept.contains(id), removed[id] == nil else { continue }
      removed[id] = try? await services.pictures.bytes(of: picture, .original)
    }
    return removed
  }
}
