import MarketModel
import MarketViewModels
package import SafeText

/// A program around the navigator that remembers what it was asked for; its editor doubles a text.
package final class FakeProgram: NavigatorDelegate {
  package private(set) var copied: [Product.ID] = []
  package private(set) var actions: [PictureAction] = []
  package private(set) var commands: [ProgramCommand] = []
  package private(set) var openedLinks: [String] = []
  package private(set) var copiedLinks: [String] = []
  package private(set) var copiedTexts: [SafeText] = []
  package var opensLinks = true

  package init() {}

  package func copy(_ product: ListedProduct) { copied.append(product.id) }

  package func perform(_ action: PictureAction) { actions.append(action) }

  package func perform(_ command: ProgramCommand) { commands.append(command) }

  package func open(_ link: WebLink) { openedLinks.append(link.address) }

  package func copy(_ link: WebLink) { copiedLinks.append(link.address) }

  package func copyText(_ text: SafeText) { copiedTexts.append(text) }

  package func editExternally(_ text: String, then take: (EditorOutcome) -> Void) async {
    take(.text(text + text))
  }
}
