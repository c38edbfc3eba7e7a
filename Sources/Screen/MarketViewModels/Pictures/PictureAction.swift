package import MarketModel
package import SafeText

/// What a person wants done with a picture outside of the program.
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
