import Glibc
import TestSupport

extension TestCluster {
  /// The folder of PostgreSQL's programs, as Debian places them; empty where there is none.
  static var programs: String {
    var found = glob_t()
    defer { globfree(&found) }
    guard glob("/usr/lib/postgresql/*/bin/initdb", 0, nil, &found) == 0,
      let last = found.gl_pathv[Int(found.gl_pathc) - 1]
    else { return "" }
    return String(String(cString: last).dropLast("/initdb".count))
  }

  /// Starts the shell with these descriptors.
  static func start(input: Int32, output: Int32, superuser: String) throws {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
    Inheritance.end(&actions)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    // A group of its own, so that an interrupt from the terminal leaves it time to clean up.
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
    let arguments: [String] = ["sh", "-c", script, "sh", programs, superuser]
    var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) }
    words.append(nil)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
      for word in words { free(word) }
    }
    var child = pid_t()
    guard posix_spawn(&child, "/bin/sh", &actions, &attributes, words, environ) == 0 else {
      throw UnexpectedError(description: "no shell")
    }
    // Its end is taken from the system.
    _ = try RunningProgram(child)
  }

  /// PostgreSQL refuses to run as root, who becomes `postgres` for it.
  private static let script = """
    bin=$1
    folder=$(mktemp -d "${TMPDIR:-/tmp}/market-postgres-XXXXXX") || exit 1
    as=
    if [ "$(id -u)" = 0 ]; then
      as='setpriv --reuid=postgres --regid=postgres --clear-groups'
      chown postgres "$folder"
    fi
    chmod 711 "$folder"
    cd "$folder"
    control() { $as "$bin/pg_ctl" -s -w -D "$folder/data" "$@" >&2; }
    user=$2
    run() { PGUSER=$user "$bin/psql" -q -X -v ON_ERROR_STOP=1 "$@" >&2; }
    follower() { $as "$bin/pg_ctl" -s -w -D "$folder/standby" "$@" >&2; }
    trap '[ ! -f standby/postmaster.pid ] || follower stop -m immediate
      [ ! -f data/postmaster.pid ] || control stop -m immediate; rm -rf "$folder"' EXIT
    $as "$bin/initdb" -D data -U "$2" -A trust -E UTF8 --locale=C.UTF-8 --no-sync >/dev/null
    cat >>data/postgresql.conf <<END
    listen_addresses = ''
    unix_socket_directories = '$folder'
    fsync = off
    max_connections = 300
    END
    control start -l data/log || exit 1
    echo "$folder"
    while read -r command first rest; do
      case $command in
        schema) run -h "$folder" -c "CREATE SCHEMA $first" postgres ;;
        sql) run -c "$rest" "$first" ;;
        database) run -h "$folder" -c "CREATE DATABASE $first $rest" postgres ;;
        dump) "$bin/pg_dump" -U "$user" -h "$folder" "$first" | run -o /dev/null -h "$folder" "$rest" ;;
        restart) control restart -m immediate -l data/log ;;
        stop) control stop -m immediate ;;
        start) control start -l data/log ;;
        standby)
          $as "$bin/pg_basebackup" -h "$folder" -U "$user" -D "$folder/standby" -R -c fast --no-sync \
            && echo "port = $first" >>standby/postgresql.conf && follower start -l standby/log ;;
        fell) follower stop -m immediate ;;
      esac && echo "done" || echo "failed"
    done
    """
}
