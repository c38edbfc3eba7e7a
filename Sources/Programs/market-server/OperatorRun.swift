import CommandKit
import Glibc
import MarketModel
import MarketStrings
import MarketTransfer
import SafeTextKit
import StoreCore

/// One run of an operator command.
struct OperatorRun {
  private let order: OperatorRequest
  private let options: ServerOptions
  private let location: StoreLocation

  init(_ order: OperatorRequest, _ options: ServerOptions, on location: StoreLocation) {
    self.order = order
    self.options = options
    self.location = location
  }

  /// Runs the command; returns its exit status.
  func run() async -> Int32 {
    for number in [SIGPIPE, SIGXFSZ] { signal(number, SIG_IGN) }
    let strings = options.strings
    var secret: String?
    if let wanted = order.secret {
      // Only `market` can hide typed input.
      guard isatty(STDIN_FILENO) == 0 else {
        Console.warn(wanted.needsPipe(strings))
        return 1
      }
      let line = Console.readLine() ?? ""
      if let mistake = wanted.mistake(in: line, strings) {
        Console.warn(mistake)
        return 1
      }
      secret = line
    }
    do throws(RepositoryError) {
      let outcome = try await OperatorCommand(order, strings).run(
        on: try await location.open(options.pictureStorageLocation), secret: secret)
      for sentence in outcome.sentences { Console.say(sentence) }
      for errorMessage in outcome.complaints { Console.warn(errorMessage) }
      return outcome.status
    } catch {
      Console.warn(location.sentence(on: error, strings))
      return 1
    }
  }
}
