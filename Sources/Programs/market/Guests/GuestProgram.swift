import CommandKit
import Glibc
import MarketModel
import MarketStrings
import MarketViewModels
import Posix
import SafeTextKit

/// The program as sshd runs it for a guest: the full screen, or the command that was asked for.
struct GuestProgram {
  static let command = "guest"

  /// Seconds after which a command ends, whatever it waits for.
  private static let maxCommandLength: UInt32 = 300

  private let options: MarketOptions
  private let strings: Strings

  /// Takes what the host allows, of which the guest's own words change nothing.
  init(_ options: MarketOptions) {
    self.options = options
    strings = options.strings
  }

  func run() -> Never {
    do throws(GuestError) {
      let caller = try seal()
      let directory = try GuestDirectory(options.hosting)
      try directory.enter(caller)
      let guest = guest(caller, in: directory)
      GuestEnvironment.keep(in: guest.folder)
      var options = options
      options.guest = guest
      options.reopens = false
      guard let order = caller.order else {
        Market.run { await BrowseCommand(options, Settings()).start() }
      }
      alarm(Self.maxCommandLength)
      try run(order, options)
    } catch {
      Console.fail(error.text(strings), status: ExitStatus.failure)
    }
  }

  /// Closes the process before anything of the guest's is looked at.
  private func seal() throws(GuestError) -> SSHClientInfo {
    if options.server == nil, options.storePath == nil {
      throw .notSetUp(missing: "--server URL")
    }
    do throws(SystemError) {
      try ProcessSandbox.makeNonDumpable()
      try ProcessSandbox.close(hasMarketFile: options.server == nil)
    } catch {
      throw .notSealed(error)
    }
    return try SSHClientInfo()
  }

  private func guest(_ caller: SSHClientInfo, in directory: GuestDirectory) -> Guest {
    let way = options.hosting.address ?? "market@" + caller.host
    guard let key = caller.key else { return Guest(caller: caller, way: way) }
    return Guest(
      caller: caller, seller: directory.secret.seller(of: key),
      folder: directory.folder(of: key)?.folder,
      sentQuestions: directory.counter(of: caller.address), way: way)
  }

  /// Runs a command by the table, of which a guest has what is for guests.
  private func run(_ order: String, _ options: MarketOptions) throws(GuestError) -> Never {
    let table = MarketCommands(settings: Settings()).table.forGuests(defaults: options)
    let words = Array(table.renamed(try words(of: order)[...]))
    // A name that nobody has is told like one that is not for guests.
    guard let command = table.commands.first(where: { words.starts(with: $0.path) }) else {
      throw .refused
    }
    if command.guestPermission == .withKey, options.guest?.seller == nil {
      throw .needsKey(way: options.guest?.way ?? "")
    }
    do throws(CommandLineError) {
      let invocation = try table.parse(words)
      guard invocation.values.namesNoFile else { throw .said(.guestNoFiles) }
      invocation.outcome()
      exit(0)
    } catch {
      Console.fail(error.text(strings), status: ExitStatus.usage)
    }
  }

  /// The words of a command, without the name of the program, with which it may begin.
  private func words(of order: String) throws(GuestError) -> [String] {
    do throws(ShellWords.Mistake) {
      let words = try ShellWords(order).words
      return words.first == "market" ? Array(words.dropFirst()) : words
    } catch {
      throw .notWords
    }
  }
}

extension MarketOptions {
  /// Whether what stands in it comes from the command and its standard input alone.
  fileprivate var namesNoFile: Bool {
    selling.fromPath == nil || selling.fromPath == "-"
  }
}
