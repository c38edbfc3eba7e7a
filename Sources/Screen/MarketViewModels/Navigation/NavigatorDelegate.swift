package import MarketModel
package import SafeTextKit

/// The program around the navigators: its terminal, and its way to other programs.
package protocol NavigatorDelegate: AnyObject {
  /// Copies a product as text for other programs, with its address where it has one.
  func copy(_ product: ListedProduct, at address: ProductAddress?)
  /// Copies a product's address alone.
  func copy(_ address: ProductAddress)
  /// Whether addresses can be opened on this computer; over ssh there is no desktop to do it.
  var opensLinks: Bool { get }
  /// Opens an address with the desktop's program for it.
  func open(_ link: WebLink)
  /// Copies a text for other programs.
  func copy(_ text: SafeText)
  /// Saves a picture or opens it elsewhere.
  func perform(_ action: PictureAction)
  /// Does what has nothing to do with what is shown.
  func perform(_ command: ProgramCommand)
  /// Runs the user's own editor on a text, with the terminal in its hands until it ends.
  /// `take` gets what came of it, before anything that was typed meanwhile counts.
  func editExternally(_ text: String, then take: (EditorOutcome) -> Void) async
}

/// Wish to have a picture saved, or opened outside of the program.
package nonisolated struct PictureAction: Hashable, Sendable {
  package enum Verb: Hashable, Sendable {
    /// Keep the original as a file.
    case save
    /// Show it in the desktop's viewer.
    case open
  }

  package let verb: Verb
  package let picture: Picture
  /// The product's name, which the file is called after.
  package let name: SafeText

  package init(verb: Verb, picture: Picture, name: SafeText) {
    self.verb = verb
    self.picture = picture
    self.name = name
  }
}

/// What the program around does, whatever is shown.
package nonisolated enum ProgramCommand: CaseIterable, Hashable, Sendable {
  /// Writes the whole screen anew.
  case redraw
  /// Gives the terminal back to the shell until that calls the program again.
  case suspend
}
