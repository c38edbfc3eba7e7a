internal import EditorKit
internal import MarketModel

/// Opening of forms: drafts are offered, the market is asked for what a form needs, and two
/// versions of a product are shown side by side.
package final class FormPresenter {
  private let running: ActiveIntent
  private let services: SellingServices
  let reading: FormDataLoader
  private let drafts: DraftCollection
  private let stack: LayerStack
  weak var delegate: (any FormOpeningDelegate)?
  /// The password that stands in the form of a new product, which is to be wiped; nil for none.
  var givenPassword: () -> Password? = { nil }

  init(
    _ running: ActiveIntent, services: SellingServices, drafts: DraftCollection,
    on stack: LayerStack
  ) {
    self.running = running
    self.services = services
    self.drafts = drafts
    self.stack = stack
    reading = FormDataLoader(services: services)
  }

  /// Whether a form was asked for and has not come.
  package var isWaiting: Bool { running.isOpening }

  /// `Esc`: waits no longer for a form.
  package func cancel() {
    if isWaiting { running.end() }
  }

  /// `n`: offers the drafts and templates there are, else opens an empty form.
  package func beginRegistration() {
    guard running.layers.isEmpty, !isWaiting, let intent = running.begin(.registration) else {
      return
    }
    running.wait { [self] in
      let left = await drafts.all().filter { $0.target == .registration }
      let templates = await drafts.templates()
      guard running.isCurrent(intent) else { return }
      if left.isEmpty, templates.isEmpty {
        await openRegistration(intent)
      } else {
        offer(left, templates)
      }
    }
  }

  /// Opens a form that begins as something that is there: a product, a template or what was sold just
  /// now; nothing is sent by that, and nothing kept before something is typed.
  func begin(from source: FormSource) {
    if running.layers.isEmpty, !isWaiting, running.intent == nil { open(from: source) }
  }

  /// The same in the place of what offered it.
  private func open(from source: FormSource) {
    running.intent = nil
    guard let intent = running.begin(.registration) else { return }
    running.wait { [self] in
      do throws(RepositoryError) {
        let opened = try await reading.registration(from: source)
        guard running.isCurrent(intent) else { return }
        open(opened.form, isGuessed: opened.isGuessed)
        if !opened.lostPhotos.isEmpty {
          delegate?.announce(.photosNotCopied(numbers: opened.lostPhotos))
        }
      } catch {
        fail(intent, error)
      }
    }
  }

  /// Lists all drafts, where there are no products to stand above; false without any.
  func offerDrafts() async -> Bool {
    let left = await drafts.all()
    let templates = await drafts.templates()
    guard !(left.isEmpty && templates.isEmpty), running.layers.isEmpty,
      running.begin(.registration) != nil
    else { return false }
    offer(left, templates)
    return true
  }

  /// Goes on with the draft that is selected above the seller's own products.
  package func openFromShelf() {
    guard running.layers.isEmpty, let draft = drafts.shelf.selectedDraft else { return }
    open(draft)
  }

  /// Asks whether the draft that is selected above the seller's own products is to go.
  package func askToRemoveFromShelf() {
    guard running.layers.isEmpty, let draft = drafts.shelf.selectedDraft else { return }
    running.show(
      QuestionModel(.draftRemoval(name: draft.values.name)) { [self] answer in
        running.layers.closeDialog()
        if answer == .yes { drafts.discard(draft.id) }
      })
  }

  /// Asks for the name under which the draft that is selected above the seller's own products is kept
  /// as a template.
  package func keepTemplateFromShelf() {
    guard running.layers.isEmpty, let draft = drafts.shelf.selectedDraft,
      draft.target == .registration
    else { return }
    running.show(
      TemplateNameModel(draft.values.name) { [self] name in
        running.layers.closeDialog()
        guard let name else { return }
        Task.immediate {
          let isSaved = await drafts.keep(draft, asTemplate: name) != nil
          delegate?.announce(.hint(isSaved ? .templateSaved : .templateNotSaved))
        }
      })
  }

  /// Reads the product anew and opens its form, or offers the draft that was left of it.
  func openEdit(_ intent: SellingIntent) async {
    guard let product = intent.product else { return }
    do throws(RepositoryError) {
      let (form, left) = try await reading.edit(of: product.id)
      guard running.isCurrent(intent) else { return }
      if let draft = intent.draft { return resume(draft, in: form) }
      open(form)
      if let left { offer(left, in: form) }
    } catch {
      fail(intent, error)
    }
  }

  /// Shows both versions of a product, and goes on in the form over the one that is there now.
  func show(_ conflict: Conflict) {
    running.show(
      ConflictModel(conflict) { [self] resolved in
        guard let resolved else { return running.leaveDialog() }
        guard let form = running.form else { return open(resolved) }
        running.layers.closeDialog()
        form.replace(with: resolved)
      })
  }

  /// Opens a form again of which no draft could be kept, and asks whether to leave it all the same.
  func reopen(_ form: ProductForm, of left: SellingIntent) {
    guard running.layers.isEmpty,
      running.begin(left.purpose, of: left.product, draft: left.draft) != nil
    else {
      delegate?.announce(.hint(.draftNotSaved))
      return
    }
    open(form)
    running.show(
      QuestionModel(.abandonment(name: form.name.text)) { [self] answer in
        if answer == .yes { running.end() } else { running.layers.closeDialog() }
      })
  }
}

extension FormPresenter {
  func open(_ form: ProductForm, isGuessed: Bool = false, savedAt: Timestamp? = nil) {
    guard let delegate else { return }
    running.open(
      FormModel(
        form, isGuessed: isGuessed, savedAt: savedAt, services: services, layers: running.layers,
        delegate: delegate))
    if isGuessed { delegate.announce(.hint(.formOffline)) }
  }

  private func openRegistration(_ intent: SellingIntent) async {
    do throws(RepositoryError) {
      var (form, isGuessed) = try await reading.registration(from: intent.draft)
      guard running.isCurrent(intent) else { return }
      if let password = givenPassword() {
        form.editPassword { secret in _ = password.withBytes { secret.fill($0) } }
        password.wipe()
      }
      open(form, isGuessed: isGuessed, savedAt: intent.draft?.changed)
    } catch {
      fail(intent, error)
    }
  }

  private func fail(_ intent: SellingIntent, _ error: RepositoryError) {
    guard running.isCurrent(intent) else { return }
    running.end()
    delegate?.announce(.notSent(error, keepsForm: false))
  }

  // MARK: Drafts

  private func offer(_ left: [Draft], _ templates: [Draft]) {
    running.show(
      DraftsModel(left, templates, store: drafts, on: stack) { [self] answer in
        switch answer {
        case .open(let draft?) where draft.isTemplate: open(from: .template(draft))
        case .open(let draft): open(draft)
        case .remove(let id): drafts.discard(id)
        case .say(let hint): delegate?.announce(.hint(hint))
        case .none: running.end()
        }
      })
  }

  /// Asks whether an edit that was left goes on in its form.
  private func offer(_ draft: Draft, in form: ProductForm) {
    running.show(
      QuestionModel(.draft(draft)) { [self] answer in
        switch answer {
        case .yes: resume(draft, in: form)
        case .no: running.layers.closeDialog()
        case .none: running.end()
        }
      })
  }

  /// Goes on with a draft, or with a new form; the draft of an edit needs the product's password.
  private func open(_ draft: Draft?) {
    if let draft, case .edit(let id) = draft.target {
      running.end()
      return openEdit(of: id, with: draft)
    }
    running.intent = nil
    guard let intent = running.begin(.registration, draft: draft) else { return }
    running.wait { [self] in await openRegistration(intent) }
  }

  /// Asks for the password of the product that a draft is about, if it still exists.
  private func openEdit(of id: Product.ID, with draft: Draft) {
    guard let intent = running.begin(.edit, draft: draft) else { return }
    running.wait { [self] in
      do throws(RepositoryError) {
        let product = try await services.repository.detail(of: id).product
        guard running.isCurrent(intent) else { return }
        running.end()
        delegate?.askPassword(to: .edit, ListedProduct(product), draft: draft)
      } catch {
        fail(intent, error)
      }
    }
  }

  /// Puts the draft of an edit into its form, and keeps it from then on; where the product is
  /// another by now, both versions are shown first.
  private func resume(_ draft: Draft, in form: ProductForm) {
    guard case .edit(let detail) = form.purpose, running.restart(with: draft) != nil else { return }
    if let conflict = Conflict(draft: draft, form: form, theirs: detail) {
      show(conflict)
      return running.layers.closeForm()
    }
    var form = form
    form.restore(draft)
    open(form, savedAt: draft.changed)
  }
}

/// Delegate that asks for passwords before a form opens, and takes what it sends.
protocol FormOpeningDelegate: FormDelegate {
  func askPassword(to purpose: SellingIntent.Purpose, _ product: ListedProduct, draft: Draft?)
}

/// What a new product's form is filled from.
enum FormSource {
  /// A product of the market, with its photos.
  case product(Product.ID)
  case template(Draft)
  /// Nothing but the currency of what was sold just now.
  case another(Currency)
}

/// A form that was filled from something that is there.
struct OpenedForm {
  let form: ProductForm
  /// Whether the market could not be asked what it takes.
  let isGuessed: Bool
  /// Which photos of the product could not be read, counted from 1.
  let lostPhotos: [Int]
}

/// Reader of what a form begins with, as the market and the disk have it.
struct FormDataLoader {
  let services: SellingServices

  /// The form of a new product, with what a draft holds of it.
  ///
  /// Where the market cannot be reached the form is one that it would have taken when it could be
  /// asked last, or else our own stores: what it does not take now, it says when the form is sent.
  func registration(
    from draft: Draft?
  ) async throws(RepositoryError) -> (form: ProductForm, isGuessed: Bool) {
    var (form, isGuessed) = try await form(from: draft == nil ? nil : .initial)
    if let draft { form.restore(draft) }
    return (form, isGuessed)
  }

  /// The form of a new product that begins as something that is there.
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
      guard case .unreachable = error else { throw error }
      known = nil
    }
    let remembered = known == nil ? await services.seen?.cachedCapabilities() : nil
    let capabilities = known ?? remembered ?? .full
    var currency = sold
    if start == nil, sold == nil, let language = services.languageCurrency {
      let usual = known == nil ? nil : await usualCurrency(capabilities)
      currency = [usual, language()].compactMap(\.self).first(where: capabilities.takes)
    }
    let form = ProductForm(
      .registration, capabilities: capabilities, from: start, proposing: currency)
    return (form, known == nil)
  }

  /// The currency of the seller's last product here, else that of the newest one; nil where there is
  /// none or nobody can say.
  private func usualCurrency(_ capabilities: RepositoryCapabilities) async -> Currency? {
    let account = await services.accounts.known()
    if capabilities.queriesBySeller, let seller = account?.seller {
      if let own = await newestCurrency(ProductQuery(sellers: [seller.id])) { return own }
    } else if let last = account?.registered.last,
      let detail = try? await services.repository.detail(of: last),
      let price = detail.product.pricing.price
    {
      return price.currency
    }
    return await newestCurrency(ProductQuery())
  }

  private func newestCurrency(_ query: ProductQuery) async -> Currency? {
    let page = try? await services.repository.page(PageRequest(query: query, size: 1))
    return page?.products.first?.pricing.price?.currency
  }

  /// Files of a product's pictures, fit to be sent with another one; nil where one cannot be read.
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

  /// The form of a product as it is now, and the draft that was left of it.
  func edit(of id: Product.ID) async throws(RepositoryError) -> (form: ProductForm, left: Draft?) {
    let capabilities = try await services.repository.capabilities()
    let detail = try await services.repository.detail(of: id)
    let left = await services.drafts.drafts().first { $0.target == .edit(id) }
    return (ProductForm(.edit(detail), capabilities: capabilities), left)
  }

  /// The files of the photos that an edit removes, as far as they can be read; with those that are
  /// known already.
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
