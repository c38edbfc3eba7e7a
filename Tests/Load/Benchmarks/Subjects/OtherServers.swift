import Glibc
import TerminalTestSupport

/// The servers that people know as fast or as usual, each where it is installed.
enum OtherServers {
  /// The path under which all of them have what is compared.
  static let path = "/answer"

  /// Serves a file, as it does best.
  static func nginx(_ answer: [UInt8], on workbench: Workbench) throws -> LocalServer? {
    guard Tool.isInstalled("nginx") else { return nil }
    let folder = try workbench.freshDirectory("nginx")
    let port = try LocalPort.free()
    try workbench.write(String(decoding: answer, as: UTF8.self), to: folder + path)
    // Its workers would become a user who cannot look into the folder.
    let user = geteuid() == 0 ? "user root;" : ""
    let configuration = """
      daemon off; worker_processes 2; \(user) pid \(folder)/pid; error_log \(folder)/errors;
      events { worker_connections 256; }
      http {
        access_log off; sendfile on; tcp_nopush on; keepalive_requests 1000000000;
        open_file_cache max=8; default_type application/json;
        client_body_temp_path \(folder)/body; proxy_temp_path \(folder)/proxy;
        fastcgi_temp_path \(folder)/fastcgi; uwsgi_temp_path \(folder)/uwsgi;
        scgi_temp_path \(folder)/scgi;
        server { listen 127.0.0.1:\(port); root \(folder); }
      }

      """
    try workbench.write(configuration, to: folder + "/nginx.conf")
    return try LocalServer("nginx", port: port, ["nginx", "-c", folder + "/nginx.conf"])
  }

  /// Serves the same bytes from memory.
  static func node(_ answer: [UInt8], on workbench: Workbench) throws -> LocalServer? {
    guard Tool.isInstalled("node") else { return nil }
    let folder = try workbench.freshDirectory("node")
    let port = try LocalPort.free()
    try workbench.write(String(decoding: answer, as: UTF8.self), to: folder + path)
    let script = """
      const bytes = require('fs').readFileSync(process.argv[1]);
      const head = { 'Content-Type': 'application/json', 'Content-Length': bytes.length };
      require('http').createServer((request, response) => {
        response.writeHead(200, head);
        response.end(bytes);
      }).listen(Number(process.argv[2]), '127.0.0.1');
      """
    return try LocalServer(
      "node", port: port, ["node", "-e", script, folder + path, String(port)])
  }

  /// Reads a page of as many products from the same store for each request.
  static func flask(store: String) throws -> LocalServer? {
    let check = try? PipedRun(["python3", "-c", "import flask"], environment: Tool.environment)
    guard check?.exit == .exited(status: 0) else { return nil }
    let port = try LocalPort.free()
    let script = """
      import sqlite3, sys, threading
      from flask import Flask, jsonify
      app = Flask('page')
      own = threading.local()
      @app.route('\(path)')
      def page():
          if not hasattr(own, 'database'):
              own.database = sqlite3.connect(sys.argv[1])
              own.database.row_factory = sqlite3.Row
          rows = own.database.execute('SELECT id, seller, name, currency, price, discount, stock, '
              'created FROM product ORDER BY id DESC LIMIT 20').fetchall()
          return jsonify(pages=[dict(row) for row in rows], page_no=1, items_per_page=20)
      app.run('127.0.0.1', int(sys.argv[2]), threaded=True)
      """
    return try LocalServer(
      "flask", port: port, ["python3", "-c", script, store, String(port)])
  }
}
