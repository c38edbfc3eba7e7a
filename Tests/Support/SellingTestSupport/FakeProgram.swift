import MarketModel
import MarketViewModels
package import SafeTextKit

/// A program around the navigator that remembers what it was asked for; its editor doubles a text.
package final class FakeProgram: NavigatorDelegate {
  package private(set) var copied: [Product.ID] = []
  /// Addresses that were copied, beside products or alone; nil for a product that has none.
  package private(set) var copiedAddresses: [String?] = []
  package private(set) var actions: [PictureAction] = []
  package private(set) var commands: [ProgramCommand] = []
  package private(set) var openedLinks: [String] = []
  package private(set) var copiedTexts: [String] = []
  package var opensLinks = true

  package init() {}

  package func copy(_ product: ListedProduct, at address: ProductAddress?) {
    copied.append(product.id)
    copiedAddresses.append(address?.text)
  }

  package func copy(_ address: ProductAddress) { copiedAddresses.append(address.text) }

  package func perform(_ action: PictureAction) { actions.append(action) }

  package func perform(_ command: ProgramCommand) { commands.append(command) }

  package func open(_ link: WebLink) { openedLinks.append(link.address) }

  package func copy(_ text: SafeText) { copiedTexts.append(text.string) }

  package func editExternally(_ text: String, then take: (EditorOutcome) -> Void) async {
    take(.text(text + text))
  }
}
