internal import EditorKit
package import MarketModel

/// Registering, editing and deleting in one go, for whoever sees no form: by the form's rules.
package struct HeadlessSelling {
  /// Reason why nothing was changed.
  package nonisolated enum Failure: Error, Hashable {
    case repository(RepositoryError)
    case field(FieldError)
    case photo(name: String, PhotoProblem)
    case tooManyPhotos
    /// The market cannot give a product other photos.
    case photosFixed
    /// The market knows sellers by name, and this one has none yet.
    case unnamedSeller
    /// The seller has this name here, and another one was said.
    case otherSeller(String)
    /// Nothing was registered, for who sells could not be kept.
    case accountNotMade
    /// None is left of what is to be reserved.
    case soldNotReserved
  }

  private let services: SellingServices
  private let didAnnounce: (Notice) -> Void
  private var secret = PasswordEditor()
  /// Photos that a check has read and encoded, by their paths.
  private var checkedPhotos: [String: FormPhoto] = [:]

  /// `didAnnounce` gets what should be known although all went well.
  package init(_ services: SellingServices, didAnnounce: @escaping (Notice) -> Void) {
    self.services = services
    self.didAnnounce = didAnnounce
  }

  /// Takes the product's password; one that no field takes counts as none.
  package mutating func enter(_ password: String) { secret.type(password) }

  /// Checks the entries of a registration, or of an edit of a product, before a password is asked for.
  ///
  /// The photos are kept for the order itself. `later` is a field whose value comes behind the password.
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
      form = ProductForm(.registration, capabilities: capabilities, from: start)
    }
    try await fill(&form, with: entries, but: [.password, later])
    guard !entries.photos.isEmpty else { return }
    for photo in form.photos.photos { checkedPhotos[photo.name] = photo }
  }

  /// What a registration has to say of who sells, where it cannot be registered as it is: a name where
  /// the market knows sellers by theirs and this one has none yet, or no other name than the seller's.
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

  /// The name that the market knows a seller by, who may have changed it elsewhere; else the one that
  /// was said here.
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

  /// Registers a product, under the name `sellerName` from now on where the seller has none yet; what
  /// the entries do not name is as the form begins.
  package func register(
    _ entries: ProductEntries, as sellerName: String?, from start: FormValues? = nil
  ) async throws(Failure) -> ProductDetail {
    let capabilities = try await asking { () throws(RepositoryError) in
      try await services.repository.capabilities()
    }
    var form = ProductForm(.registration, capabilities: capabilities, from: start)
    secret.withBytes { form.fillPassword($0) }
    try await fill(&form, with: entries)
    guard let registration = form.registration() else {
      throw .field(FieldError(.price, .unreadable))
    }
    defer { registration.password.wipe() }
    guard var account = await services.accounts.account() else { throw .accountNotMade }
    try await introduce(&account, as: sellerName, capabilities)
    let detail = try await asking { () throws(RepositoryError) in
      try await services.repository.register(
        registration, by: account.author, key: IdempotencyKey(rawValue: services.makeToken()))
    }
    if let notice = Notice.dropped(by: form) { didAnnounce(notice) }
    account.didRegister(detail)
    await keep(account)
    didTake(entries.photos)
    return detail
  }

  /// Changes what the entries name and nothing else; fails with `.conflict` where somebody else was
  /// faster.
  package func edit(
    _ id: Product.ID, _ entries: ProductEntries
  ) async throws(Failure) -> ProductDetail {
    let password = Password(secret)
    defer { password.wipe() }
    let author = try await author(knowing: password, of: id)
    let (capabilities, base) = try await asking { () throws(RepositoryError) in
      (try await services.repository.capabilities(), try await services.repository.detail(of: id))
    }
    var form = ProductForm(.edit(base), capabilities: capabilities)
    try await fill(&form, with: entries)
    let patch = form.patch()
    guard !patch.isEmpty else { return base }
    let detail = try await asking { () throws(RepositoryError) in
      try await services.repository.update(
        id, with: patch, password: password, by: author, expecting: base.version)
    }
    didTake(entries.photos)
    return detail
  }

  /// Deletes a product for good.
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
  /// A product has these photos now.
  private func didTake(_ photos: [String]) {
    for photo in photos { services.waiting?.remove(photo) }
  }

  private func asking<Answer>(
    _ body: () async throws(RepositoryError) -> Answer
  ) async throws(Failure) -> Answer {
    do throws(RepositoryError) { return try await body() } catch { throw .repository(error) }
  }

  /// Asks about a product, under the name `name` from now on where one is said; `offer` is an amount as
  /// a person wrote it.
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
    // A product's password is enough where no account can be kept.
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
        if prepared.isCut { didAnnounce(.hint(.photoCut)) }
        photos.append(
          FormPhoto(
            id: FormPhoto.ID(rawValue: "photo:" + services.makeToken()), name: path,
            content: .ready(prepared)))
      } catch {
        throw .photo(name: path, error)
      }
    }
    return photos
  }

  /// Gives a seller who has none the name that is said; a market of names needs one.
  ///
  /// Another name than
  /// the seller's is refused, for it would be that of all that was registered before.
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

/// Values for the fields of a form, as somebody wrote them; fields that are not named stay.
package nonisolated struct ProductEntries: Hashable, Sendable {
  /// Amounts are digits with at most one decimal point.
  package var texts: [ProductField: String] = [:]
  /// Paths of files, which replace all photos; none keeps those that there are.
  package var photos: [String] = []

  package init() {}

  /// The fields that a new product needs and that neither these name nor what its form begins with, in
  /// the order of the form; nil for an empty form.
  package func missingFields(from start: FormValues?) -> [ProductField] {
    ProductField.allCases.filter { field in
      // Some have a value of their own or need none, and passwords are asked for apart.
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
