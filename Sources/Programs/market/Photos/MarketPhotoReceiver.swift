import MarketClient
import MarketModel
import MarketViewModels
import SafeTextKit
import Synchronization

/// Pages for a telephone's photos: of the market's server where it has them, else of this machine.
nonisolated final class MarketPhotoReceiver: PhotoReceiver {
  /// Connection to the market's server; nil for a file.
  private let server: ServerConnection?
  private let repository: any ProductRepository
  private let accounts: any SellerAccountStore
  /// Pages of this machine; nil for a guest.
  private let local: (any PhotoReceiver)?
  /// Command by which a guest sends photos; nil for other users.
  private let command: SafeText?
  /// Whether the server has answered that it has no pages, although it announced them.
  private let lacksPages = Mutex(false)

  init(
    server: ServerConnection?, repository: any ProductRepository,
    accounts: any SellerAccountStore, local: (any PhotoReceiver)?, command: SafeText?
  ) {
    (self.server, self.repository, self.accounts) = (server, repository, accounts)
    (self.local, self.command) = (local, command)
  }

  func routes() async -> PhotoRoutes {
    if server != nil, !lacksPages.withLock(\.self),
      (try? await repository.capabilities())?.takesUploads == true,
      await accounts.account() != nil
    {
      return PhotoRoutes([.server])
    }
    if let local { return await local.routes() }
    return PhotoRoutes(obstacle: command.map { .command($0) } ?? .noProgram)
  }

  func open(_ route: PhotoRoutes.Route) -> PhotoReception {
    if case .local = route, let local { return local.open(route) }
    let (events, continuation) = AsyncStream<ReceiverEvent>.makeStream()
    let (commands, sending) = AsyncStream<ReceiverCommand>.makeStream()
    let work = Task {
      await receive(commands) { continuation.yield($0) }
      continuation.finish()
    }
    return PhotoReception(events: events) {
      sending.yield($0)
    } close: {
      work.cancel()
      sending.finish()
    }
  }

  private func receive(
    _ commands: AsyncStream<ReceiverCommand>, tell: @escaping @Sendable (ReceiverEvent) -> Void
  ) async {
    guard let server, let owner = await accounts.account()?.identifier else {
      return tell(.refused(.unsupported))
    }
    await UploadPageClient.receive(over: server, by: owner, commands: commands) { [self] event in
      if event == .refused(.unsupported) { lacksPages.withLock { $0 = true } }
      tell(event)
    }
  }
}
