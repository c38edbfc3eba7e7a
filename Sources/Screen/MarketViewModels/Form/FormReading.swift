internal import MarketModel

/// What a form begins with, as the market and the disk have it.
struct FormReading {
  let services: SellingServices

  /// The form of a new product, with what a draft holds of it.
  func registration(from draft: Draft?) async throws(RepositoryError) -> ProductForm {
    let capabilities = try await services.repository.capabilities()
    var form = ProductForm(.registration, capabilities: capabilities)
    if let draft { form.restore(draft) }
    return form
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
