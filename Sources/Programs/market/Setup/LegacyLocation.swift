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

/// Place of a market, and what of an earlier version's files is its own: these had the same name for
/// several places.
///
/// Nobody asks about the others before one of those files is found.
nonisolated struct LegacyLocation: Sendable {
  /// To whom the files of a former key belong.
  enum Ownership: Hashable {
    /// No other place that is known had it.
    case own
    /// Others had it as well, which came later.
    case first
    case later
  }

  let location: KnownLocation
  /// Whether a person can be asked: then only what nobody else can mean is taken.
  let canAsk: Bool
  /// All places that are known, the one that was used first at the beginning.
  private let known: @Sendable () -> [KnownLocation]
  /// Learns that another place, which is named where it is known, keeps the identifier that both had.
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

/// The places of markets that this home knows.
nonisolated enum KnownLocations {
  /// Those of settings and last run alone, which the private file asks for.
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

  /// All, the one that was used first at the beginning as far as anything tells.
  static func all(for guest: Guest?) -> [KnownLocation] {
    PersonalFile.locations(inFileAt: AppPaths().personal) + named(for: guest)
  }

  private static func location(_ text: String) -> KnownLocation? {
    MarketPath.path(text).map { KnownLocation(file: $0) }
      ?? (try? MarketSource.address(text)).map { KnownLocation(server: $0) }
  }
}

extension LegacyLocation {
  /// The place of a market that is opened.
  ///
  /// `relay` learns what a person is to be told on the screen; nil
  /// says it on standard error.
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
  nonisolated private static let maxNameLength = 180

  /// Name of a file or folder, with room for what stands before and behind it: another one for each
  /// key.
  ///
  /// One that would be too long is the hash of the key.
  nonisolated var fileName: String {
    guard self != .local else { return rawValue }
    let kind = rawValue.hasPrefix("/") ? "file-" : "server-"
    let name = PercentCoding.encode(rawValue)
    guard name.utf8.count > Self.maxNameLength else { return kind + name }
    // The sign stands in no encoded text.
    return kind + "+" + Hexadecimal.text(of: ContentHash.of(rawValue))
  }
}

/// Relay that hands sentences on to whoever shows them, who comes later than the first of them.
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
