import MarketModel
import MarketViewModels
import Synchronization

/// Page for a telephone's photos, whose events are the test's.
package final class FakePhotoReceiver: PhotoReceiver {
  private struct State {
    var routes: PhotoRoutes
    var opened: [PhotoRoutes.Route] = []
    var events: AsyncStream<ReceiverEvent>.Continuation?
    var commands: [ReceiverCommand] = []
    var isClosed = false
  }

  private let state: Mutex<State>

  package init(_ routes: PhotoRoutes) { state = Mutex(State(routes: routes)) }

  /// Changes the routes, as where a server turns out to have no pages.
  package func offer(_ routes: PhotoRoutes) { state.withLock { $0.routes = routes } }

  /// The routes by which a page was opened.
  package var opened: [PhotoRoutes.Route] { state.withLock(\.opened) }
  package var commands: [ReceiverCommand] { state.withLock(\.commands) }
  package var isClosed: Bool { state.withLock(\.isClosed) }

  package func tell(_ events: ReceiverEvent...) {
    for event in events { state.withLock { _ = $0.events?.yield(event) } }
  }

  /// Ends the page from the other side.
  package func finish() { state.withLock { $0.events?.finish() } }

  package func routes() -> PhotoRoutes { state.withLock(\.routes) }

  package func open(_ route: PhotoRoutes.Route) -> PhotoReception {
    let (events, continuation) = AsyncStream<ReceiverEvent>.makeStream()
    state.withLock { state in
      state.opened.append(route)
      state.events = continuation
    }
    return PhotoReception(events: events) { [self] command in
      state.withLock { $0.commands.append(command) }
    } close: { [self] in
      state.withLock { $0.isClosed = true }
    }
  }
}
