import Expectations
import Glibc
import TestSupport
import Testing

@testable import market

struct SystemCallFilterTests {
  /// Processors by libseccomp's names, with the kernel's numbers (include/uapi/linux/audit.h and
  /// unistd.h of each).
  enum Machine: String, CaseIterable {
    case intel = "x86_64"
    case arm = "aarch64"

    var architecture: UInt32 { self == .intel ? 0xC000_003E : 0xC000_00B7 }
    var refused: Set<UInt32> {
      switch self {
      case .intel:
        [
          57, 58, 59, 322, 101, 310, 311, 62, 200, 129, 297, 434, 438, 424, 321, 298, 323, 440, 312,
          135, 161, 250, 248, 249, 272, 308, 165, 425,
        ]
      case .arm:
        [
          221, 281, 117, 270, 271, 129, 130, 138, 240, 434, 438, 424, 280, 241, 282, 440, 272, 92,
          51, 219, 217, 218, 97, 268, 40, 425,
        ]
      }
    }
    var socket: UInt32 { self == .intel ? 41 : 198 }
    var clone: UInt32 { self == .intel ? 56 : 220 }
    var tgkill: UInt32 { self == .intel ? 234 : 131 }
    var prlimit: UInt32 { self == .intel ? 302 : 261 }
  }

  private static let allowed: UInt32 = 0x7FFF_0000
  private static let killed: UInt32 = 0x8000_0000
  private static func error(_ number: Int32) -> UInt32 { 0x0005_0000 | UInt32(number) }
  private static let clone3: UInt32 = 435

  private func filter(_ machine: Machine, of process: pid_t = 4_321) throws -> FilterProgram {
    let folder = try TemporaryFolder()
    let file = open(folder.path(of: "filter"), O_RDWR | O_CREAT, 0o600)
    defer { close(file) }
    let filter = try SystemCallFilter(
      of: process, closingNetwork: true, architecture: machine.rawValue)
    try filter.export(to: file)
    return FilterProgram(try FileContent(of: folder.path(of: "filter")).bytes)
  }

  @Test(arguments: Machine.allCases)
  func `of all calls those are refused that lead out of the process`(machine: Machine) throws {
    let filter = try filter(machine)

    for number in UInt32(0)..<1_000 {
      let verdict =
        switch number {
        case machine.socket: Self.error(EACCES)
        case Self.clone3: Self.error(ENOSYS)
        case machine.clone, machine.tgkill: Self.error(EPERM)
        default: machine.refused.contains(number) ? Self.error(EPERM) : Self.allowed
        }
      expect(filter.verdict(number, machine.architecture, 0), verdict, "call \(number)")
    }
  }

  @Test(arguments: Machine.allCases)
  func `a thread, a signal to oneself and one's own limits are allowed`(machine: Machine) throws {
    for process: UInt64 in [1, 2, 4_321, 4_194_303] {
      let filter = try filter(machine, of: pid_t(process))
      func verdict(_ call: UInt32, _ argument: UInt64) -> UInt32 {
        filter.verdict(call, machine.architecture, argument)
      }

      expect(verdict(machine.clone, 0x3D0F00), Self.allowed)
      expect(verdict(machine.tgkill, process), Self.allowed)
      expect(verdict(machine.prlimit, 0), Self.allowed)
      expect(verdict(machine.prlimit, process), Self.allowed)
      let others = (0..<64).map { process ^ UInt64(1) << $0 }.filter { $0 != 0 }
      for other in others + [process + 1, process << 1, .max] {
        expect(verdict(machine.prlimit, other), Self.error(EPERM), "\(process), \(other)")
        expect(verdict(machine.tgkill, other), Self.error(EPERM))
      }
    }
  }

  @Test func `calls of another architecture end the process, those of x32 among them`() throws {
    let filter = try filter(.intel)
    let i386: UInt32 = 0x4000_0003

    for number in UInt32(0)..<1_000 {
      expect(filter.verdict(number | 0x4000_0000, Machine.intel.architecture, 0), Self.killed)
      expect(filter.verdict(number, i386, 0), Self.killed)
      expect(filter.verdict(number, Machine.arm.architecture, 0), Self.killed)
    }
  }
}

/// Program of a filter (seccomp(2), `struct sock_filter`), run without the kernel.
private struct FilterProgram {
  private struct Instruction {
    let code: UInt16
    let whenTrue, whenFalse: UInt8
    let value: UInt32
  }

  private let instructions: [Instruction]

  init(_ bytes: [UInt8]) {
    func number(_ start: Int, _ count: Int) -> UInt32 {
      bytes[start..<(start + count)].reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }
    instructions = stride(from: 0, to: bytes.count, by: 8).map { start in
      Instruction(
        code: UInt16(number(start, 2)), whenTrue: bytes[start + 2], whenFalse: bytes[start + 3],
        value: number(start + 4, 4))
    }
  }

  /// Returns what the kernel does with a call and its first argument.
  func verdict(_ call: UInt32, _ architecture: UInt32, _ argument: UInt64) -> UInt32 {
    let data: [UInt32: UInt32] = [
      0: call, 4: architecture, 16: UInt32(truncatingIfNeeded: argument),
      20: UInt32(argument >> 32),
    ]
    var (position, register) = (0, UInt32(0))
    while true {
      let step = instructions[position]
      position += 1
      func jump(_ isTrue: Bool) { position += Int(isTrue ? step.whenTrue : step.whenFalse) }
      switch step.code {
      case 0x20: register = data[step.value] ?? 0
      case 0x54: register &= step.value
      case 0x05: position += Int(step.value)
      case 0x15: jump(register == step.value)
      case 0x25: jump(register > step.value)
      case 0x35: jump(register >= step.value)
      case 0x45: jump(register & step.value != 0)
      case 0x06: return step.value
      default: fatalError("instruction \(step.code)")
      }
    }
  }
}
