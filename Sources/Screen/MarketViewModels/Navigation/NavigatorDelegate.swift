package import MarketModel
package import SafeTextKit

/// Delegate of the navigators: the terminal and other programs.
package protocol NavigatorDelegate: AnyObject {
  /// Copies a product as text to the clipboard, with its address; nil where it has none.
  func copy(_ product: ListedProduct, at address: ProductAddress?)
  /// Copies a product's address to the clipboard.
  func copy(_ address: ProductAddress)
  /// Whether addresses can be opened on this computer; over ssh there is no desktop to do it.
  var opensLinks: Bool { get }
  /// Opens an address with the desktop's program for it.
  func open(_ link: WebLink)
  /// Copies a text to the clipboard.
  func copy(_ text: SafeText)
  /// Saves a picture or opens it in a viewer.
  func perform(_ action: PictureAction)
  /// Runs a command that does not depend on the shown layer.
  func perform(_ command: ProgramCommand)
  /// Runs the user's editor (`$VISUAL`, `$EDITOR`) on a text; the terminal is its own until it ends.
  ///
  /// `take` gets the outcome before keys that were typed meanwhile are read.
  func editExternally(_ text: String, then take: (EditorOutcome) -> Void) async
}

/// Request to save a picture or open it in a viewer.
package nonisolated struct PictureAction: Hashable, Sendable {
  package enum Verb: Hashable, Sendable {
    /// Saves the original as a file.
    case save
    /// Opens it in the desktop's viewer.
    case open
  }

  package let verb: Verb
  package let picture: Picture
  /// The product's name, from which the file name is made.
  package let name: SafeText

  package init(verb: Verb, picture: Picture, name: SafeText) {
    self.verb = verb
    self.picture = picture
    self.name = name
  }
}

/// Command of the program that does not depend on the shown layer.
package nonisolated enum ProgramCommand: CaseIterable, Hashable, Sendable {
  /// Repaints the whole screen.
  case redraw
  /// Suspends the program to the shell, as Ctrl-Z.
  case suspend
}
