import Posix
import Testing

struct SessionEnvironmentTests {
  private func seat(_ variables: [String: String]) -> SessionEnvironment {
    SessionEnvironment { variables[$0] }
  }

  @Test(arguments: ["DISPLAY", "WAYLAND_DISPLAY"])
  func `a display makes a desktop`(name: String) {
    let seat = seat([name: "0"])

    #expect(seat.hasDesktop && !seat.isRemote)
  }

  @Test(arguments: ["SSH_CONNECTION", "SSH_CLIENT", "SSH_TTY"])
  func `whoever comes over ssh has no desktop here, whatever that forwards`(name: String) {
    let seat = seat([name: "192.0.2.1 22", "DISPLAY": "localhost:10.0"])

    #expect(seat.isRemote && !seat.hasDesktop)
  }

  @Test func `a console without a display is near and has no desktop`() {
    let seat = seat(["TERM": "linux"])

    #expect(!seat.isRemote && !seat.hasDesktop)
  }
}
