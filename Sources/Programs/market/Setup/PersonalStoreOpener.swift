import MarketModel
import MarketStrings
import PersonalStore
import SafeTextKit

/// Opening of the personal file.
enum PersonalStoreOpener {
  /// Personal file of this home, opened when it is first used.
  ///
  /// If it cannot be used, `announce` is called once with a sentence.
  static func file(
    _ strings: Strings, for guest: Guest? = nil, announce: @escaping @MainActor (SafeText) -> Void
  ) -> PersonalFile {
    let maxPages = guest == nil ? nil : Guest.maxPages
    return PersonalFile(
      at: AppPaths().personal, now: SystemTime.now, maximumPages: maxPages
    ) { trouble in
      Task { @MainActor in announce(sentence(trouble, strings)) }
    }
  }

  /// Sentence about an error, with the path of the personal file.
  static func named(_ trouble: PersonalStoreError, _ strings: Strings) -> SafeText {
    strings(.movingFile, SafeText(AppPaths().personal), sentence(trouble, strings))
  }

  static func sentence(_ trouble: PersonalStoreError, _ strings: Strings) -> SafeText {
    switch trouble {
    case .damaged: strings[.personalDamaged]
    case .newerVersion: strings[.personalNewer]
    case .setAside: strings[.personalSetAside]
    case .readOnly: strings[.personalReadOnly]
    case .diskFull: strings[.personalDiskFull]
    case .locked: strings[.personalLocked]
    case .noLocks: strings[.personalNoLocks]
    case .cannotOpen(let reason): strings(.personalNotOpened, SafeText(reason))
    }
  }
}
