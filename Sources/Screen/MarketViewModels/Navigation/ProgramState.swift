package import MarketModel

/// State of the whole program, which the screens of all markets share.
package final class ProgramState {
  /// Whether the mouse is ours; released, the terminal selects text with it.
  @Observed package internal(set) var hasMouse = true
  @Observed package private(set) var isQuitting = false
  /// Whether a password is asked for each time, whatever proved right before.
  package var asksAlways = false
  /// How the user wants pictures shown.
  @Observed package var pictureMode = PictureMode.auto

  /// The guest over ssh who runs the program; nil for everybody else.
  package var guest: GuestSession?
  /// What the user may set; nil where nothing keeps it.
  package var settings: (any SettingsStore)?
  /// What a person keeps, and what is waited for.
  package let personalData = PersonalData()
  /// What is kept of all markets.
  package let favorites: FavoritesModel
  /// How often each entry of the palette was chosen.
  package let paletteUsage = PaletteUsage()
  /// The program around, which is made after the navigators.
  package weak var delegate: (any NavigatorDelegate)?

  package init() { favorites = FavoritesModel(of: personalData) }

  /// Where a person keeps something; nil where nothing is kept.
  package var personal: (any PersonalDataStore)? {
    get { personalData.store }
    set { personalData.store = newValue }
  }

  /// What a person waits for; nil where nothing is kept.
  package var alerts: AlertScheduler? {
    get { personalData.alerts }
    set { personalData.alerts = newValue }
  }

  package func quit() { isQuitting = true }
}
