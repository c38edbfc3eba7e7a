import CommandKit
import Glibc
import MarketModel
import MarketStrings
import MarketViewModels
import Posix
import SafeText

/// The program as sshd runs it for a guest: the full screen, or the command that was asked for.
struct GuestProgram {
  static let command = "guest"

  /// Seconds after which a command ends, whatever it waits for.
  private static let longestCommand: UInt32 = 300

  private let options: MarketOptions
  private let strings: Strings

  /// Takes what the host allows, of which the guest's own words change nothing.
  init(_ options: MarketOptions) {
    self.options = options
    strings = options.strings
  }

  func run() -> Never {
    do throws(GuestTrouble) {
      let caller = try seal()
      let house = try GuestHouse(options.hosting)
      try house.enter(caller)
      let guest = guest(caller, in: house)
      GuestEnvironment.keep(in: guest.folder)
      var options = options
      options.guest = guest
      options.reopens = false
      guard let order = caller.order else {
        Market.run { await Browsing(options, Settings()).start() }
      }
      alarm(Self.longestCommand)
      try run(order, options)
    } catch {
      Console.fail(error.text(strings), status: ExitStatus.failure)
    }
  }

  /// Closes the process before anything of the guest's is looked at.
  private func seal() throws(GuestTrouble) -> GuestCaller {
    if options.server == nil, options.storePath == nil {
      throw .notSetUp(missing: "--server URL")
    }
    do throws(SystemError) {
      try ProcessSeal.hideMemory()
      try ProcessSeal.close(hasMarketFile: options.server == nil)
    } catch {
      throw .notSealed(error)
    }
    return try GuestCaller()
  }

  private func guest(_ caller: GuestCaller, in house: GuestHouse) -> Guest {
    let way = options.hosting.address ?? "market@" + caller.host
    guard let key = caller.key else { return Guest(caller: caller, way: way) }
    return Guest(
      caller: caller, seller: house.secret.seller(of: key), folder: house.place(of: key)?.folder,
      way: way)
  }

  /// Runs a command by the table, of which a guest has what is for guests.
  private func run(_ order: String, _ options: MarketOptions) throws(GuestTrouble) -> Never {
    let table = MarketCommands(settings: Settings()).table.forGuests(defaults: options)
    let words = Array(table.renamed(try words(of: order)[...]))
    // A name that nobody has is told like one that is not for guests.
    guard let command = table.commands.first(where: { words.starts(with: $0.path) }) else {
      throw .refused
    }
    if command.guestRight == .withKey, options.guest?.seller == nil {
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
  private func words(of order: String) throws(GuestTrouble) -> [String] {
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

extension Phrase {
  fileprivate static var guestNoFiles: Phrase { .named() }
}
