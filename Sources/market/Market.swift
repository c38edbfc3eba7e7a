import Dispatch
import Glibc
import MarketModel
import MarketStore
import MarketViewModels
import MarketViews
import PictureKit
import SafeText
import TerminalKit

/// The program that people run.
@main enum Market {
  static func main() {
    let words = Array(CommandLine.arguments.dropFirst())
    do throws(CommandLineError) {
      switch try Invocation(words) {
      case .help: print(Usage.help)
      case .version: print(Usage.version)
      case .browse(let options): run { await browse(options) }
      case .generate(let count, let options):
        run { await StoreCommands(options).generate(count) }
      case .addSample(let options): run { await StoreCommands(options).addSample() }
      }
    } catch {
      Console.fail(error.text(Strings(Self.language(.auto))), status: 2)
    }
  }

  /// Runs the rest of the program on the main queue, which ends by `exit` alone.
  private static func run(_ body: @escaping () async -> Void) {
    Task { await body() }
    dispatchMain()
  }

  /// The language that was asked for, else that of the locale (locale(7)).
  static func language(_ choice: MarketOptions.LanguageChoice) -> Language {
    switch choice {
    case .ko: .korean
    case .en: .english
    case .auto:
      Language(
        locale: ["LC_ALL", "LC_MESSAGES", "LANG"].compactMap(Locations.environment).first ?? "")
    }
  }

  private static func browse(_ options: MarketOptions) async {
    let strings = Strings(language(options.language))
    let store: SQLiteStore
    do throws(RepositoryError) {
      store = try await StoreOpening.open(path: options.storePath)
    } catch {
      Console.fail(ErrorText.text(error, strings), status: 1)
    }
    let assembly = Assembly(
      store: store, options: options, strings: strings,
      marketName: options.storePath.map {
        SafeText($0.split(separator: "/").last.map(String.init) ?? $0)
      })
    do throws(TerminalError) {
      assembly.navigator.browser.start()
      exit(try await assembly.makeApp().run())
    } catch {
      Console.fail(error.text(strings), status: 1)
    }
  }
}
