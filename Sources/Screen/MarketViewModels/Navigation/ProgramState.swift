package import MarketModel

/// State that the screens of all markets share.
package final class ProgramState {
  /// Whether the program captures the mouse; otherwise the terminal selects text with it.
  @Observed package internal(set) var hasMouse = true
  @Observed package private(set) var isQuitting = false
  /// Product that `&` shows beside the next one; nil for none.
  @Observed var remembered: RememberedProduct?
  /// Whether each change asks for the password, also if it is cached.
  package var asksAlways = false
  /// Setting for the display of pictures.
  @Observed package var pictureMode = PictureMode.auto

  /// Session of the guest over ssh; nil for a local user.
  package var guest: GuestSession?
  /// The settings; nil where they cannot be saved.
  package var settings: (any SettingsStore)?
  package let personalData = PersonalData()
  /// Favorites of all markets.
  package let favorites: FavoritesModel
  /// Use counts of the palette's entries.
  package let paletteUsage = PaletteUsage()
  /// The program; set after the navigators are made.
  package weak var delegate: (any NavigatorDelegate)?

  package init() { favorites = FavoritesModel(of: personalData) }

  /// The store of personal data; nil for a run that saves nothing.
  package var personal: (any PersonalDataStore)? {
    get { personalData.store }
    set { personalData.store = newValue }
  }

  /// The alerts; nil for a run that saves nothing.
  package var alerts: AlertScheduler? {
    get { personalData.alerts }
    set { personalData.alerts = newValue }
  }

  package func quit() { isQuitting = true }
}
