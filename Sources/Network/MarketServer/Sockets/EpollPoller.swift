internal import CEpoll
import Glibc
import Posix

/// Descriptors that one thread waits for (epoll(7)), and a way to wake it.
struct EpollPoller: ~Copyable {
  /// Events that may happen to a descriptor.
  struct Events: OptionSet {
    let rawValue: UInt32

    static let input = Events(rawValue: EPOLLIN.rawValue)
    static let output = Events(rawValue: EPOLLOUT.rawValue)
    /// The peer has ended its direction.
    static let inputEnd = Events(rawValue: EPOLLRDHUP.rawValue)
    /// Both directions are over, or the connection broke; told without being asked for.
    static let broken = Events(rawValue: EPOLLHUP.rawValue | EPOLLERR.rawValue)
    /// Of several threads that wait, not all are woken.
    static let exclusive = Events(rawValue: EPOLLEXCLUSIVE.rawValue)
  }

  private static let batch = 128

  private let epoll: Int32
  /// Written to from any thread.
  private let bell: Int32
  private let events: UnsafeMutablePointer<epoll_event>

  /// Throws where the system gives no more descriptors.
  init() throws(SystemError) {
    let epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
    let bell = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
    guard epoll >= 0, bell >= 0, Self.control(epoll, EPOLL_CTL_ADD, bell, .input) else {
      let error = SystemError.last
      if epoll >= 0 { close(epoll) }
      if bell >= 0 { close(bell) }
      throw error
    }
    self.epoll = epoll
    self.bell = bell
    events = .allocate(capacity: Self.batch)
  }

  deinit {
    close(epoll)
    close(bell)
    events.deallocate()
  }

  /// Wakes the thread that waits, from any other.
  func ring() {
    var one: UInt64 = 1
    _ = write(bell, &one, MemoryLayout<UInt64>.size)
  }

  func watch(_ descriptor: Int32, for events: Events) {
    _ = Self.control(epoll, EPOLL_CTL_ADD, descriptor, events)
  }

  func change(_ descriptor: Int32, to events: Events) {
    _ = Self.control(epoll, EPOLL_CTL_MOD, descriptor, events)
  }

  func forget(_ descriptor: Int32) {
    _ = Self.control(epoll, EPOLL_CTL_DEL, descriptor, [])
  }

  /// Waits for so many milliseconds at most until something happens or somebody rings, and gives
  /// the number of descriptors of which `event(at:)` tells.
  func wait(milliseconds: Int32) -> Int {
    max(0, Int(epoll_wait(epoll, events, Int32(Self.batch), milliseconds)))
  }

  /// The descriptor that something has happened to, and what; nil where somebody rang.
  func event(at index: Int) -> (descriptor: Int32, events: Events)? {
    let event = events[index]
    guard event.data.fd == bell else { return (event.data.fd, Events(rawValue: event.events)) }
    var rings: UInt64 = 0
    _ = read(bell, &rings, MemoryLayout<UInt64>.size)
    return nil
  }

  private static func control(
    _ epoll: Int32, _ action: Int32, _ descriptor: Int32, _ events: Events
  ) -> Bool {
    var event = epoll_event()
    event.events = events.rawValue
    event.data.fd = descriptor
    return epoll_ctl(epoll, action, descriptor, &event) == 0
  }
}
