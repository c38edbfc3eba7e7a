import CommandKit
import Glibc
import MarketStrings
import MarketTransfer
import PersonalStore
import Posix
import SafeTextKit

/// Commands that export the personal data to another computer, import them there, or delete them.
struct PersonalCommands {
  private let options: MarketOptions
  private let strings: Strings

  init(_ options: MarketOptions) {
    self.options = options
    strings = options.strings
  }

  /// Exports everything to a file; `-` is standard output.
  ///
  /// Exits.
  func export(to path: String) -> Never {
    run(path) { archive throws(PersonalTransferError) in
      let transfer = PersonalTransfer(archive)
      let count = try transfer.export(to: path, replacing: options.operating.replaces)
      if path != "-" { Console.say(strings.counted(.personalExported, count)) }
    }
  }

  /// Merges the rows of an exported file; exits.
  func importRows(from path: String) -> Never {
    run(path) { archive throws(PersonalTransferError) in
      let (read, leftOut) = try PersonalTransfer(archive).importRows(from: path)
      Console.say(strings.counted(.personalImported, read - leftOut))
      if leftOut > 0 { Console.warn(strings.counted(.personalLeftOut, leftOut)) }
    }
  }

  /// Deletes everything, and the state of the last session; exits.
  func clear() -> Never {
    guard options.selling.isSure || isSure else {
      Console.fail(strings[.personalClearUnsure], status: ExitStatus.failure)
    }
    run { archive throws(PersonalTransferError) in
      do throws(PersonalArchive.Failure) { try archive.clear() } catch { throw .archive(error) }
      do throws(SystemError) { try StateFile(folder: AppPaths().state).clear() } catch {
        Console.fail(
          strings(.personalStateStays, SafeText(error.description)), status: ExitStatus.failure)
      }
      Console.say(strings[.personalCleared])
    }
  }

  /// Asks for confirmation at the terminal; false without one.
  private var isSure: Bool {
    isatty(STDIN_FILENO) == 1 && Console.confirms(strings[.personalClearQuestion])
  }

  private func run(
    _ path: String = "", _ body: (PersonalArchive) throws(PersonalTransferError) -> Void
  ) -> Never {
    do throws(PersonalTransferError) {
      let archive: PersonalArchive
      do throws(PersonalArchive.Failure) {
        archive = try PersonalArchive(at: AppPaths().personal) { path in
          Console.warn(PersonalStoreOpener.sentence(.setAside(path), strings))
        }
      } catch {
        throw .archive(error)
      }
      try body(archive)
      exit(0)
    } catch {
      Console.fail(error.text(of: path, strings), status: ExitStatus.failure)
    }
  }
}

extension PersonalTransferError {
  /// Sentence about an error with advice; `path` is the file.
  @MainActor fileprivate func text(of path: String, _ strings: Strings) -> SafeText {
    switch self {
    case .file(let error): error.text(strings)
    case .notPersonal: strings(.personalNotOurs, SafeText(path))
    case .badLine(let line): named(path, strings(.personalBadLine, SafeText(line)), strings)
    case .cutShort: named(path, strings[.personalCutShort], strings)
    case .archive(.newer): named(path, strings[.personalTooNew], strings)
    case .archive(.tooMany):
      named(path, strings(.personalTooMany, SafeText(PersonalArchive.maxRows)), strings)
    // Rows begin in the second line.
    case .archive(.badRow(let row)):
      named(path, strings(.personalBadLine, SafeText(row + 1)), strings)
    case .archive(.trouble(let trouble)): PersonalStoreOpener.named(trouble, strings)
    }
  }

  private func named(_ path: String, _ sentence: SafeText, _ strings: Strings) -> SafeText {
    strings(.movingFile, SafeText(path), sentence)
  }
}
