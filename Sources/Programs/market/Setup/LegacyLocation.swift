import CommandKit
import MarketClient
import MarketModel
import MarketStrings
import MarketViewModels
import PersonalStore
import Posix
import SafeTextKit
import StoreCore
import Synchronization
import TextCoding

/// Location of a market, with the files of earlier versions, whose names several locations shared.
///
/// The other locations are looked up only when such a file is found.
nonisolated struct LegacyLocation: Sendable {
  /// Owner of the files of a former key.
  enum Ownership: Hashable {
    /// No other known location had the key.
    case own
    /// Other locations had the key later.
    case first
    case later
  }

  let location: KnownLocation
  /// Whether the user can be asked; if so, only unambiguous files are taken over.
  let canAsk: Bool
  /// All known locations, the one used first at the beginning.
  private let known: @Sendable () -> [KnownLocation]
  /// Reports that another location, given by its name, keeps an identifier that both had.
  let tell: @Sendable (String) -> Void

  init(
    _ location: KnownLocation, canAsk: Bool, known: @escaping @Sendable () -> [KnownLocation],
    tell: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    self.location = location
    self.canAsk = canAsk
    self.known = known
    self.tell = tell
  }

  func ownership(of key: MarketKey) -> (Ownership, first: MarketKey?) {
    let users = known().filter { $0.former.contains(key) }.map(\.key)
    guard users.contains(where: { $0 != location.key }) else { return (.own, nil) }
    return (users.first == location.key ? .first : .later, users.first)
  }
}

/// Locations of the markets known to this home.
nonisolated enum KnownLocations {
  /// Locations in the cache, the settings and the last session, without the personal file; none for a
  /// guest.
  static func named(for guest: Guest?) -> [KnownLocation] {
    guard guest == nil else { return [] }
    let bytes = (try? PrivateFile.read(AppPaths().settings, limit: 1 << 20)) ?? []
    let entries = SettingsEntries(String(decoding: bytes, as: UTF8.self))
    let texts =
      entries.servers.map(\.address) + ["server", "store"].compactMap { entries.options[$0] }
    let last = SessionStateFile(folder: AppPaths().state).state?.market.text
    return (ResponseCache.servers(inFileAt: AppPaths().seen) + texts + [last].compactMap(\.self))
      .compactMap(location)
  }

  /// All known locations, the one used first at the beginning, as far as known.
  static func all(for guest: Guest?) -> [KnownLocation] {
    PersonalFile.locations(inFileAt: AppPaths().personal) + named(for: guest)
  }

  private static func location(_ text: String) -> KnownLocation? {
    MarketPath.path(text).map { KnownLocation(file: $0) }
      ?? (try? MarketSource.address(text)).map { KnownLocation(server: $0) }
  }
}

extension LegacyLocation {
  /// Creates the location of a market that is opened.
  ///
  /// `relay` receives messages for the screen; nil prints them on standard error.
  init(_ location: KnownLocation, _ options: MarketOptions, telling relay: MessageRelay?) {
    let (strings, guest) = (options.strings, options.guest)
    self.init(location, canAsk: relay != nil) {
      KnownLocations.all(for: guest)
    } tell: { other in
      let sentence = strings(.formerIdentifier, SafeText(other))
      if let relay { relay.tell(sentence) } else { Console.warn(sentence) }
    }
  }
}

extension MarketKey {
  /// Maximum bytes of a name, which leaves room below the limit of file systems (255).
  nonisolated private static let maxNameLength = 180

  /// Name of a file or folder, unique for each key, with room for a prefix and suffix.
  ///
  /// A name that would be too long is replaced by the hash of the key.
  nonisolated var fileName: String {
    guard self != .local else { return rawValue }
    let kind = rawValue.hasPrefix("/") ? "file-" : "server-"
    let name = PercentCoding.encode(rawValue)
    guard name.utf8.count > Self.maxNameLength else { return kind + name }
    // `+` does not occur in encoded text.
    return kind + "+" + Hexadecimal.text(of: ContentHash.of(rawValue))
  }
}

/// Relay of messages to the screen; messages before `follow(_:)` are buffered.
nonisolated final class MessageRelay: Sendable {
  private struct State {
    var sentences: [SafeText] = []
    var show: (@Sendable (SafeText) -> Void)?
  }

  private let state = Mutex(State())

  func follow(_ show: @escaping @Sendable (SafeText) -> Void) {
    let waiting = state.withLock { state in
      defer { state.sentences = [] }
      state.show = show
      return state.sentences
    }
    for sentence in waiting { show(sentence) }
  }

  func tell(_ sentence: SafeText) {
    let show = state.withLock { state in
      if state.show == nil { state.sentences.append(sentence) }
      return state.show
    }
    show?(sentence)
  }
}
