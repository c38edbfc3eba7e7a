/// What happens at a server, as it tells those who watch it.
package enum ServerEvent: Hashable, Sendable {
  case connected
  case disconnected
  case finished(FinishedRequest)
}
