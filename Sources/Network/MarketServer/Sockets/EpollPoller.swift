internal import CEpoll
import Glibc
import Posix

/// Descriptors that one thread waits for (epoll(7)), with an eventfd that wakes it.
struct EpollPoller: ~Copyable {
  /// Events of a descriptor.
  struct Events: OptionSet {
    let rawValue: UInt32

    static let input = Events(rawValue: EPOLLIN.rawValue)
    static let output = Events(rawValue: EPOLLOUT.rawValue)
    /// The peer has shut down its sending side.
    static let inputEnd = Events(rawValue: EPOLLRDHUP.rawValue)
    /// Both directions are closed, or the connection failed; reported without being requested.
    static let broken = Events(rawValue: EPOLLHUP.rawValue | EPOLLERR.rawValue)
    /// Only one of several waiting threads is woken.
    static let exclusive = Events(rawValue: EPOLLEXCLUSIVE.rawValue)
  }

  private static let batch = 128

  private let epoll: Int32
  /// Eventfd, written to from any thread.
  private let bell: Int32
  private let events: UnsafeMutablePointer<epoll_event>

  /// Creates an epoll instance and its eventfd.
  /// - Throws: the error of the system call, such as `EMFILE`.
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

  /// Wakes the waiting thread; may be called from any thread.
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

  /// Waits until an event or `ring()`, at most `milliseconds` (-1: no limit); returns the number of
  /// events for `event(at:)`.
  func wait(milliseconds: Int32) -> Int {
    max(0, Int(epoll_wait(epoll, events, Int32(Self.batch), milliseconds)))
  }

  /// Descriptor and events at `index`; nil for `ring()`.
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
