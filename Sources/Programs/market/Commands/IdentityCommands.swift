import CommandKit
import Glibc
import MarketModel
import MarketStrings
import MarketTransfer
import MarketViewModels
import SafeTextKit

/// Commands that move a seller's identifier between machines.
struct IdentityCommands {
  private let options: MarketOptions
  private let servers: [String: String]
  private let strings: Strings

  init(_ options: MarketOptions, servers: [String: String]) {
    self.options = options
    self.servers = servers
    strings = options.strings
  }

  /// Prints the identifier of the seller account; exits.
  func show() async -> Never {
    guard let account = await openMarket().accounts.known() else {
      Console.fail(strings[.identityNone], status: 1)
    }
    Console.say(account.identifier.secret)
    exit(0)
  }

  /// Imports an identifier, so that the user is the same seller on both machines; exits.
  func enter() async -> Never {
    let source = await openMarket()
    let known = await source.accounts.known()
    guard let line = HiddenInput.read(asking: strings[.identityPrompt]) else {
      Console.fail(strings(.identityNeedsPipe, "market identity import"), status: 1)
    }
    guard let identifier = SellerIdentifier(entered: line) else {
      Console.fail(strings[.identityUnreadable], status: 1)
    }
    guard options.operating.replaces || known == nil || known?.identifier == identifier else {
      Console.fail(strings[.identityExists], status: 1)
    }
    var account = SellerAccount(identifier: identifier)
    do throws(RepositoryError) {
      let seller = try await source.repository.seller(of: identifier)
      account.name = seller.flatMap { $0.isNamed ? $0.name : nil }
      account.seller = seller
    } catch {
      // A market without sellers' names cannot tell their products either.
      guard error == .unsupported else { fail(error) }
      account.registered = known?.registered ?? []
    }
    await source.close()
    guard await source.accounts.replace(with: account) else {
      Console.fail(strings[.hintAccountNotSaved], status: 1)
    }
    Console.say(
      account.name.map { strings(.identityEntered, SafeText($0)) } ?? strings[.identitySaved])
    exit(0)
  }

  private func openMarket() async -> MarketSource {
    do throws(RepositoryError) {
      return try await MarketSource.open(options, servers: servers)
    } catch {
      fail(error)
    }
  }

  private func fail(_ error: RepositoryError) -> Never {
    Console.fail(options.sentence(on: error, servers: servers), status: ExitStatus.failure)
  }
}
