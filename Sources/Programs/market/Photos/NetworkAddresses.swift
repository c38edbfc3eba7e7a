import Glibc
import MarketViewModels
import Posix

/// Network interface of this machine, as the kernel describes it.
nonisolated struct NetworkInterface: Hashable {
  let name: String
  /// Numeric address without its zone.
  let address: String
  let isLoopback: Bool
  /// Whether a device stands behind it: a network card, and nothing made by software.
  let hasDevice: Bool
  /// Whether the default route leads through it.
  let isDefault: Bool
  /// `DEVTYPE` of its uevent file, such as `bridge` or `wireguard`; empty without one.
  let type: String

  /// Prefixes of the names that containers, virtual machines and VPNs give to their interfaces.
  private static let virtualNames = [
    "docker", "br-", "virbr", "veth", "vmnet", "vboxnet", "lxc", "lxd", "podman", "cni", "flannel",
    "tun", "tap", "wg", "ppp", "tailscale", "zt", "nordlynx", "proton", "utun", "ipsec", "dummy",
  ]

  /// Whether other devices can probably reach the address.
  var isLikely: Bool {
    guard !isLoopback, !["bridge", "wireguard", "veth", "vxlan"].contains(type) else {
      return false
    }
    return hasDevice || isDefault && !Self.virtualNames.contains(where: name.hasPrefix)
  }

  /// Rank among the addresses to offer, the lowest first.
  private var rank: (Int, Int, Int, Int) {
    (isLikely ? 0 : 1, isLoopback ? 1 : 0, isDefault ? 0 : 1, address.contains(":") ? 1 : 0)
  }

  /// Addresses to offer, the likeliest first; of an interface with IPv4 no IPv6, which makes a larger code
  /// and reaches nothing more.
  static func offered(_ all: [NetworkInterface]) -> [LocalAddress] {
    all.filter { one in
      !one.address.contains(":")
        || !all.contains { $0.name == one.name && !$0.address.contains(":") }
    }
    .sorted { $0.rank < $1.rank }
    .map { LocalAddress(host: $0.address, interface: $0.name, isLikely: $0.isLikely) }
  }

  /// Interfaces that are up, with each of their addresses that needs no zone (getifaddrs(3)).
  static func all() -> [NetworkInterface] {
    var first: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&first) == 0 else { return [] }
    defer { freeifaddrs(first) }
    let defaults = defaultInterfaces()
    var found: [NetworkInterface] = []
    var next = first
    while let entry = next?.pointee {
      next = entry.ifa_next
      let flags = Int32(bitPattern: entry.ifa_flags)
      guard flags & Int32(IFF_UP) != 0, let address = numeric(entry.ifa_addr) else {
        continue
      }
      let name = String(cString: entry.ifa_name)
      let folder = "/sys/class/net/\(name)"
      let type = text(of: folder + "/uevent").split(separator: "\n")
        .first { $0.hasPrefix("DEVTYPE=") }?.dropFirst("DEVTYPE=".count)
      found.append(
        NetworkInterface(
          name: name, address: address, isLoopback: flags & Int32(IFF_LOOPBACK) != 0,
          hasDevice: access(folder + "/device", F_OK) == 0, isDefault: defaults.contains(name),
          type: String(type ?? "")))
    }
    return found
  }

  /// Numeric address; nil for other families and for link-local IPv6, which needs a zone.
  private static func numeric(_ address: UnsafeMutablePointer<sockaddr>?) -> String? {
    guard let address else { return nil }
    let size: Int
    switch Int32(address.pointee.sa_family) {
    case AF_INET: size = MemoryLayout<sockaddr_in>.size
    case AF_INET6: size = MemoryLayout<sockaddr_in6>.size
    default: return nil
    }
    var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
    guard
      getnameinfo(
        address, socklen_t(size), &text, socklen_t(text.count), nil, 0, Int32(NI_NUMERICHOST)) == 0
    else { return nil }
    let name = String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    return name.contains("%") ? nil : name
  }

  /// Interfaces of default routes (proc_net(5)).
  private static func defaultInterfaces() -> Set<String> {
    let lines = text(of: "/proc/net/route").split(separator: "\n").dropFirst()
    return Set(
      lines.compactMap { line in
        let fields = line.split(separator: "\t")
        return fields.count > 1 && fields[1] == "00000000" ? String(fields[0]) : nil
      })
  }

  static func text(of path: String) -> String {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return "" }
    defer { close(file) }
    return String(
      decoding: (try? FileDescriptorIO.read(upTo: 1 << 16, from: file)) ?? [], as: UTF8.self)
  }
}

/// What stands between a telephone and this machine.
nonisolated enum MachineSurroundings {
  /// Caution of the environment; nil on an ordinary machine.
  static func caution(_ value: (String) -> String?) -> PhotoRoutes.Caution? {
    if sshHost(value) != nil { return .ssh }
    let kernel = NetworkInterface.text(of: "/proc/sys/kernel/osrelease").lowercased()
    if kernel.contains("microsoft") { return .wsl }
    let isInContainer =
      value("container") != nil
      || ["/.dockerenv", "/run/.containerenv", "/run/systemd/container"].contains {
        (path: String) in access(path, F_OK) == 0
      }
    return isInContainer ? .container : nil
  }

  /// Address of this machine to which the ssh client connected (ssh(1)); nil without ssh.
  static func sshHost(_ value: (String) -> String?) -> String? {
    let words = (value("SSH_CONNECTION") ?? "").split(separator: " ")
    return words.count == 4 ? String(words[2].prefix { $0 != "%" }) : nil
  }
}
