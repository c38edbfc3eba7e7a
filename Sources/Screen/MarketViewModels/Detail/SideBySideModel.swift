package import MarketModel
package import SafeTextKit

/// Product that is shown beside the next one chosen for it, with the market it is in.
struct RememberedProduct {
  let product: ListedProduct
  /// Nil once the market is closed.
  weak var navigator: Navigator?
}

/// Two products side by side, the remembered one first; they may be of two markets.
package final class SideBySideModel: Layer {
  package let sides: [ComparedProduct]
  private weak var navigator: Navigator?

  fileprivate init(_ sides: [ComparedProduct], on navigator: Navigator) {
    self.sides = sides
    self.navigator = navigator
  }

  package func refresh() {
    for side in sides { side.read() }
  }

  package func didClose() {
    for side in sides { side.cancel() }
    navigator?.remember(nil)
  }
}

/// Product of one of two columns, with its detail once that is read.
package final class ComparedProduct {
  @Observed package private(set) var product: ListedProduct
  /// Nil until it is read.
  @Observed package private(set) var detail: LoadedDetail?
  /// Reason why the detail could not be read; nil for none.
  @Observed package private(set) var error: RepositoryError?
  /// Title of the product's market; nil for the local one.
  package let market: SafeText?
  package let gallery: PictureGallery
  private let reader: DetailReader
  private var task: Task<Void, Never>?

  init(_ product: ListedProduct, in navigator: Navigator) {
    self.product = product
    market = navigator.marketTitle
    gallery = navigator.gallery
    reader = navigator.browser.detail.reader
    read()
  }

  /// The first picture; before the detail is read, the thumbnail.
  package var picture: Picture? { detail?.pictures.first ?? product.product.thumbnail }

  fileprivate func read() {
    cancel()
    task = Task.immediate {
      do throws(RepositoryError) {
        let read = try await reader.fetch(product.id)
        guard !Task.isCancelled else { return }
        let loaded = LoadedDetail(read)
        (product, detail, error) = (loaded.product, loaded, nil)
      } catch {
        if !Task.isCancelled { self.error = error }
      }
    }
  }

  fileprivate func cancel() { task?.cancel() }
}

extension Navigator {
  /// Next effect of `&` on the chosen product.
  package enum SideBySideStep: Equatable {
    case remember
    case forget
    /// Shows it beside the remembered one.
    case show
  }

  package var sideBySideStep: SideBySideStep {
    guard let first = program.remembered, let home = first.navigator else { return .remember }
    return home === self && first.product.id == chosen?.id ? .forget : .show
  }

  /// `&`: remembers the chosen product, forgets it again, or shows it beside the remembered one.
  package func putSideBySide() {
    guard let chosen else { return }
    switch sideBySideStep {
    case .remember:
      remember(chosen)
      announce(.hint(.productRemembered))
    case .forget: remember(nil)
    case .show:
      guard let first = program.remembered, let home = first.navigator else { return }
      let sides = [
        ComparedProduct(first.product, in: home), ComparedProduct(chosen, in: self),
      ]
      stack.push(SideBySideModel(sides, on: self))
    }
  }

  /// Remembers a product in place of another one; nil only forgets that.
  fileprivate func remember(_ product: ListedProduct?) {
    program.remembered?.navigator?.browser.remembered = nil
    program.remembered = product.map { RememberedProduct(product: $0, navigator: self) }
    browser.remembered = product?.id
  }
}
