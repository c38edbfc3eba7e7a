import MarketModel
import MarketStrings
import PersonalStore
import SafeTextKit

/// Opening of what the person keeps.
enum PersonalStoreOpener {
  /// The file of this home, which is opened when it is first used.
  ///
  /// Where nothing can be kept, `tell` gets one sentence about it, once.
  static func file(
    _ strings: Strings, for guest: Guest? = nil, tell: @escaping @MainActor (SafeText) -> Void
  ) -> PersonalFile {
    let maxPages = guest == nil ? nil : Guest.maxPages
    return PersonalFile(
      at: AppPaths().personal, now: SystemTime.now, maximumPages: maxPages,
      knownLocations: KnownLocations.named(for: guest)
    ) { trouble in
      Task { @MainActor in tell(sentence(trouble, strings)) }
    }
  }

  /// Returns the sentence with the file that it is about.
  static func named(_ trouble: PersonalStoreError, _ strings: Strings) -> SafeText {
    strings(.movingFile, SafeText(AppPaths().personal), sentence(trouble, strings))
  }

  static func sentence(_ trouble: PersonalStoreError, _ strings: Strings) -> SafeText {
    switch trouble {
    case .damaged: strings[.personalDamaged]
    case .newerVersion: strings[.personalNewer]
    case .readOnly: strings[.personalReadOnly]
    case .diskFull: strings[.personalDiskFull]
    case .locked: strings[.personalLocked]
    case .cannotOpen(let reason): strings(.personalNotOpened, SafeText(reason))
    }
  }
}
