import Glibc
import HTTPTestSupport
import TestSupport

/// nginx in front of several servers, with a folder of its own.
package final class ClusterProxy: Sendable {
  private static let program = "/usr/sbin/nginx"

  package static var isPossible: Bool { access(program, X_OK) == 0 }

  /// What to do where it is not possible.
  package static let hint = "nginx is not installed: apt install nginx-light"

  private let folder: TemporaryFolder
  private let process: ChildProcess
  private let port: ReservedPort

  /// Starts it; returns when it listens.
  package init(before servers: [String]) throws {
    folder = try TemporaryFolder()
    port = try ReservedPort()
    let text = Self.configuration(listen: port.address, folder: folder.path, servers: servers)
    try FileContent(bytes: Array(text.utf8)).write(to: folder.path(of: "nginx.conf"))
    process = try ChildProcess(
      "/bin/sh",
      arguments: [
        "-c", Self.script, "sh", Self.program, "-p", folder.path, "-c",
        folder.path(of: "nginx.conf"),
      ])
    // It listens before it says how it will wait for events.
    while let line = try process.readLine() {
      if line.contains("event method") { return }
    }
    throw UnexpectedError(description: "nginx does not start")
  }

  package var address: String { port.address }

  /// Runs nginx until the tests end in any way: the shell becomes the wait for their process,
  /// and nginx goes with the shell, by the one signal that it cannot have inherited as blocked.
  private static let script = """
    setpriv --pdeathsig KILL "$@" &
    exec tail --pid=$PPID -f /dev/null
    """

  /// A request that may be repeated goes to the next server where one fails: those that read, and
  /// those with a key by which they happen once.
  private static func configuration(listen: String, folder: String, servers: [String]) -> String {
    let upstream = servers.map { "server \($0) max_fails=0;" }
      .joined(separator: "\n    ")
    let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
      .map { "\($0)_temp_path \(folder)/\($0);" }.joined(separator: " ")
    return """
      daemon off;
      master_process off;
      pid \(folder)/nginx.pid;
      error_log /dev/stdout notice;
      events { worker_connections 1024; }
      http {
        access_log off;
        error_log \(folder)/error.log;
        \(temporary)
        client_max_body_size 4m;
        upstream market {
          \(upstream)
          keepalive 32;
        }
        proxy_http_version 1.1;
        proxy_set_header Connection "";
        proxy_set_header Host $http_host;
        proxy_set_header X-Forwarded-For $remote_addr;
        proxy_connect_timeout 1s;
        proxy_next_upstream_timeout 5s;
        server {
          listen \(listen);
          error_page 418 = @repeatable;
          location / {
            if ($http_idempotency_key) { return 418; }
            proxy_next_upstream error timeout http_503;
            proxy_pass http://market;
          }
          location @repeatable {
            proxy_next_upstream error timeout http_503 non_idempotent;
            proxy_pass http://market;
          }
        }
      }

      """
  }
}
