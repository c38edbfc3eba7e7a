internal import EditorKit
package import MarketModel

/// Registration, edit, deletion and questions without a form on the screen, by the rules of the form.
package struct HeadlessSelling {
  /// Reason why nothing was changed.
  package nonisolated enum Failure: Error, Hashable {
    case repository(RepositoryError)
    /// The market did not answer a registration, which may have been done.
    case mayBeListed(RepositoryError)
    case field(FieldError)
    case photo(name: String, PhotoProblem)
    case tooManyPhotos
    /// The market cannot change the photos of a product.
    case photosFixed
    /// The market requires a seller name, and this seller has none.
    case unnamedSeller
    /// The seller already has this name on the market, and another one was given.
    case otherSeller(String)
    /// Nothing was sent, because the seller's account could not be saved.
    case accountNotMade
    /// A sold-out product cannot be reserved.
    case soldNotReserved
  }

  private let services: SellingServices
  private let didAnnounce: (Notice) -> Void
  private var secret = PasswordEditor()
  /// Photos that `check` has read and encoded, by path.
  private var checkedPhotos: [String: FormPhoto] = [:]

  /// `didAnnounce` gets notices of successful operations.
  package init(_ services: SellingServices, didAnnounce: @escaping (Notice) -> Void) {
    self.services = services
    self.didAnnounce = didAnnounce
  }

  /// Sets the product's password; one that is too long for the editor counts as empty.
  package mutating func enter(_ password: String) { secret.type(password) }

  /// Checks the entries of a registration, or of an edit of the product `id`, before the password is
  /// read.
  ///
  /// The photos are encoded and reused. `later` is a field whose value is not known yet; nil for
  /// none.
  /// - Throws: `.field` for the first value that the form refuses; `.soldNotReserved`;
  ///   `.photosFixed`, `.tooManyPhotos` or `.photo` for the photos; `.repository` if capabilities or
  ///   product cannot be read.
  package mutating func check(
    _ entries: ProductEntries, editing id: Product.ID? = nil, from start: FormValues? = nil,
    but later: ProductField? = nil
  ) async throws(Failure) {
    let capabilities = try await asking { () throws(RepositoryError) in
      try await services.repository.capabilities()
    }
    var form: ProductForm
    if let id {
      let base = try await asking { () throws(RepositoryError) in
        try await services.repository.detail(of: id)
      }
      form = ProductForm(.edit(base), capabilities: capabilities)
    } else {
      form = await newForm(capabilities, for: entries, from: start)
    }
    try await fill(&form, with: entries, but: [.password, later])
    guard !entries.photos.isEmpty else { return }
    for photo in form.photos.photos { checkedPhotos[photo.name] = photo }
  }

  /// Problem of the seller's name for a registration; nil if there is none: `.unnamedSeller` if the
  /// market requires a name and none is known or given, `.otherSeller` if another one than the known
  /// is given.
  /// - Throws: what `capabilities()` and `seller(of:)` throw, except `.unsupported` of the latter.
  package static func sellerProblem(
    _ services: SellingServices, saying name: String?
  ) async throws(RepositoryError) -> Failure? {
    guard try await services.repository.capabilities().queriesBySeller else { return nil }
    let name = name?.trimmed
    var account = await services.accounts.known()
    if let known = account, known.name == nil || name.map({ $0 != known.name }) == true {
      account?.name = try await Self.name(of: known, in: services.repository)
    }
    guard let known = account?.name else { return name == nil ? .unnamedSeller : nil }
    return name == nil || name == known ? nil : .otherSeller(known)
  }

  /// Name of a seller on the market, which may have been changed elsewhere; the saved one if the
  /// market cannot tell.
  private static func name(
    of account: SellerAccount, in repository: any ProductRepository
  ) async throws(RepositoryError) -> String? {
    do throws(RepositoryError) {
      let seller = try await repository.seller(of: account.identifier)
      return seller.flatMap { $0.isNamed ? $0.name : nil } ?? account.name
    } catch {
      guard error == .unsupported else { throw error }
      return account.name
    }
  }

  /// Registers a product.
  ///
  /// A seller without a name gets `sellerName`; fields without an entry keep the value of `start`, or
  /// of an empty form if that is nil. An equal registration that was not answered in the last hour is
  /// sent with its key, so that it is done once, unless `again` is true.
  /// - Throws: what `check` throws; `.accountNotMade`; `.unnamedSeller`; `.otherSeller`;
  ///   `.mayBeListed`; `.repository` with the error of the market.
  package func register(
    _ entries: ProductEntries, as sellerName: String?, from start: FormValues? = nil,
    again: Bool = false
  ) async throws(Failure) -> ProductDetail {
    let capabilities = try await asking { () throws(RepositoryError) in
      try await services.repository.capabilities()
    }
    var form = await newForm(capabilities, for: entries, from: start)
    secret.withBytes { form.fillPassword($0) }
    try await fill(&form, with: entries)
    guard let registration = form.registration() else {
      throw .field(FieldError(.price, .unreadable))
    }
    defer { registration.password.wipe() }
    guard var account = await services.accounts.account() else { throw .accountNotMade }
    try await introduce(&account, as: sellerName, capabilities)
    let detail = try await send(registration, by: account.author, again: again)
    if let notice = Notice.dropped(by: form) { didAnnounce(notice) }
    account.didRegister(detail)
    await keep(account)
    didTake(entries.photos)
    return detail
  }

  /// Changes the fields of the entries; returns the product before and after.
  /// - Throws: what `check` throws; `.repository` with `.wrongPassword`, `.notOwner`, or `.conflict`
  ///   if others changed the product in the meantime, and other errors of the market.
  package func edit(
    _ id: Product.ID, _ entries: ProductEntries
  ) async throws(Failure) -> (before: ProductDetail, after: ProductDetail) {
    let password = Password(secret)
    defer { password.wipe() }
    let author = try await author(knowing: password, of: id)
    let (capabilities, base) = try await asking { () throws(RepositoryError) in
      (try await services.repository.capabilities(), try await services.repository.detail(of: id))
    }
    var form = ProductForm(.edit(base), capabilities: capabilities)
    try await fill(&form, with: entries)
    let patch = form.patch()
    guard !patch.isEmpty else { return (base, base) }
    let detail = try await asking { () throws(RepositoryError) in
      try await services.repository.update(
        id, with: patch, password: password, by: author, expecting: base.version)
    }
    didTake(entries.photos)
    return (base, detail)
  }

  /// Deletes a product permanently.
  /// - Throws: `.repository` with what `verify` and `delete` of the repository throw.
  package func delete(_ id: Product.ID) async throws(Failure) -> ProductDetail {
    let password = Password(secret)
    defer { password.wipe() }
    let author = try await author(knowing: password, of: id)
    return try await asking { () throws(RepositoryError) in
      try await services.repository.delete(id, password: password, by: author)
    }
  }
}

extension HeadlessSelling {
  private func send(
    _ registration: ProductRegistration, by author: Author, again: Bool
  ) async throws(Failure) -> ProductDetail {
    let new = IdempotencyKey(rawValue: services.makeToken())
    let key = await services.drafts.beginRegistration(
      registration, by: author, key: new, again: again)
    do throws(RepositoryError) {
      let detail = try await services.repository.register(registration, by: author, key: key)
      await services.drafts.endRegistration(key, isAnswered: true)
      return detail
    } catch {
      // An earlier attempt stays open where this one did not reach the market.
      let isOpen = error.leavesOutcomeOpen || !error.wasSent && key != new
      await services.drafts.endRegistration(key, isAnswered: !isOpen)
      throw isOpen ? .mayBeListed(error) : .repository(error)
    }
  }

  /// Removes the photos of a product from the pending ones.
  private func didTake(_ photos: [String]) {
    for photo in photos { services.waiting?.remove(photo) }
  }

  /// Form of a new product, with the default currency where neither an entry nor `start` has one.
  private func newForm(
    _ capabilities: RepositoryCapabilities, for entries: ProductEntries, from start: FormValues?
  ) async -> ProductForm {
    let needsCurrency = start == nil && entries.texts[.currency] == nil
    return ProductForm(
      .registration, capabilities: capabilities, from: start,
      proposing: needsCurrency ? await services.proposedCurrency(capabilities) : nil)
  }

  private func asking<Answer>(
    _ body: () async throws(RepositoryError) -> Answer
  ) async throws(Failure) -> Answer {
    do throws(RepositoryError) { return try await body() } catch { throw .repository(error) }
  }

  /// Sends a question about a product, with an offer as the user wrote it, nil for none; a `name`
  /// that is not nil becomes the seller's name first.
  /// - Throws: `.repository(.invalid)` if the offer cannot be read; `.accountNotMade`; `.otherSeller`
  ///   if the seller has another name; `.repository` with the error of the market.
  package func ask(
    _ text: String, offering offer: String?, about id: Product.ID, as name: String?,
    key: IdempotencyKey
  ) async throws(Failure) -> Question {
    let (capabilities, detail) = try await asking { () throws(RepositoryError) in
      (try await services.repository.capabilities(), try await services.repository.detail(of: id))
    }
    var question = NewQuestion(text: text)
    do throws(AmountError) {
      let currency = detail.product.pricing.price?.currency ?? .krw
      question.offerHundredths = try offer.map { offer throws(AmountError) in
        try Amount(reading: offer).hundredths(in: currency)
      }
    } catch {
      throw .repository(.invalid([FieldError(.price, .amount(error))]))
    }
    guard var account = await services.accounts.account() else { throw .accountNotMade }
    if name != nil { try await introduce(&account, as: name, capabilities) }
    let (asked, asker) = (question, account.identifier)
    return try await asking { () throws(RepositoryError) in
      try await services.repository.ask(
        asked, about: id, by: asker, key: key)
    }
  }

  private func author(
    knowing password: Password, of id: Product.ID
  ) async throws(Failure) -> Author {
    // A product's password is enough if no account can be saved.
    let author =
      await services.accounts.account()?.author
      ?? .seller(SellerIdentifier(secret: services.makeToken()))
    try await asking { () throws(RepositoryError) in
      try await services.repository.verify(password, for: id, by: author)
    }
    return author
  }

  private func fill(
    _ form: inout ProductForm, with entries: ProductEntries, but later: [ProductField?] = []
  ) async throws(Failure) {
    var filling = FormFiller(form)
    if let error = filling.fill(entries.texts) { throw .field(error) }
    form = filling.form
    if entries.texts[.reserved]?.isEmpty == false, form.values.value(of: .stock) == .number(0) {
      throw .soldNotReserved
    }
    if !entries.photos.isEmpty {
      guard form.purpose == .registration || form.capabilities.changesPictures else {
        throw .photosFixed
      }
      guard FormRules.photoCount.contains(entries.photos.count) else { throw .tooManyPhotos }
      let photos = try await photos(at: entries.photos)
      form.editPhotos { $0 = PhotoList(photos) }
    }
    _ = form.checkAll()
    for field in form.fields where !later.contains(field) {
      if let problem = form.problems[field] { throw .field(FieldError(field, problem)) }
    }
  }

  private func photos(at paths: [String]) async throws(Failure) -> [FormPhoto] {
    var photos: [FormPhoto] = []
    for path in paths {
      if let photo = checkedPhotos[path] {
        photos.append(photo)
        continue
      }
      do throws(PhotoProblem) {
        let bytes = try await services.photos.read(path)
        let prepared = try await services.photos.encode(bytes)
        for hint in prepared.hints { didAnnounce(.hint(hint)) }
        let photo = FormPhoto(
          id: FormPhoto.ID(rawValue: "photo:" + services.makeToken()), name: path,
          content: .ready(prepared))
        if PhotoList(photos + [photo]).hasTwin(of: photo.id) {
          didAnnounce(.hint(.photoTwin))
        } else {
          photos.append(photo)
        }
      } catch {
        throw .photo(name: path, error)
      }
    }
    return photos
  }

  /// Sets the seller's name on a market that requires one, if it has none.
  ///
  /// A name other than the known one is refused, because it would rename the seller of all earlier
  /// products.
  private func introduce(
    _ account: inout SellerAccount, as name: String?, _ capabilities: RepositoryCapabilities
  ) async throws(Failure) {
    let name = name?.trimmed
    guard capabilities.queriesBySeller,
      account.name == nil || name.map({ $0 != account.name }) == true
    else { return }
    let asked = account
    let known = try await asking { () throws(RepositoryError) in
      try await Self.name(of: asked, in: services.repository)
    }
    if let known, let name, name != known { throw .otherSeller(known) }
    guard let name = known ?? name else { throw .unnamedSeller }
    if known == nil {
      _ = try await asking { () throws(RepositoryError) in
        try await services.repository.rename(asked.identifier, to: name)
      }
    }
    account.name = name
    await keep(account)
  }

  private func keep(_ account: SellerAccount) async {
    if await services.accounts.save(account) == nil { didAnnounce(.hint(.accountNotSaved)) }
  }
}

/// Values for the fields of a form, as the user wrote them; fields without an entry keep their value.
package nonisolated struct ProductEntries: Hashable, Sendable {
  /// Amounts consist of digits with at most one decimal point.
  package var texts: [ProductField: String] = [:]
  /// Paths of files that replace all photos; if empty, the photos stay.
  package var photos: [String] = []

  package init() {}

  /// Required fields without a value in the entries or in `start`, in the order of the form; a
  /// `start` of nil is an empty form.
  package func missingFields(from start: FormValues?) -> [ProductField] {
    ProductField.allCases.filter { field in
      // Fields with an initial value need none; the password is entered separately.
      guard !field.isOptional, FormRules[field].initial.isEmpty else { return false }
      return switch field.kind {
      case .pictures: photos.isEmpty && start?.photos.isEmpty != false
      case .line, .text, .amount, .number, .currency, .choice, .flag:
        texts[field] == nil && start?[field].isEmpty != false
      case .password: false
      }
    }
  }
}
