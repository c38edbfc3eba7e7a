"""Real terminals on a virtual X server: starts one, presses keys, takes pictures of it."""

import os
import shutil
import signal
import subprocess
import tempfile
import time

# Name, package of Debian, arguments before the command; {size} is COLUMNSxROWS, {columns} and {rows} its parts.
TERMINALS = [
    ("xterm", "xterm", "xterm -u8 -fa DejaVuSansMono -fs 9 -geometry {size} -e"),
    ("xterm-sixel", "xterm", "xterm -ti vt340 -u8 -fa DejaVuSansMono -fs 9 -geometry {size} -e"),
    ("xterm-wide", "xterm", "xterm -u8 -cjk_width -fa DejaVuSansMono -fs 9 -geometry {size} -e"),
    ("xterm-no-alternate", "xterm", "xterm -u8 -xrm *titeInhibit:true -fa DejaVuSansMono -fs 9 -geometry {size} -e"),
    ("urxvt", "rxvt-unicode", "urxvt -fn xft:DejaVuSansMono:size=9 -geometry {size} -e"),
    ("st", "stterm", "st -f DejaVuSansMono:size=9 -g {size} -e"),
    ("mlterm", "mlterm", "mlterm -g {size} -e"),
    ("kitty", "kitty", "kitty --config NONE -o remember_window_size=no -o initial_window_width={columns}c "
     "-o initial_window_height={rows}c -o font_size=9 -o update_check_interval=0 --"),
    ("alacritty", "alacritty", "alacritty -o window.dimensions.columns={columns} -o window.dimensions.lines={rows} -o font.size=8 -e"),
    ("konsole", "konsole", "dbus-run-session -- konsole --nofork --hide-menubar --hide-tabbar "
     "-p TerminalColumns={columns} -p TerminalRows={rows} -e"),
    ("lxterminal", "lxterminal", "dbus-run-session -- lxterminal --no-remote --geometry={size} -e"),
    ("qterminal", "qterminal", "dbus-run-session -- qterminal -e"),
    ("zutty", "zutty", "zutty -font DejaVuSansMono -fontpath /usr/share/fonts/truetype/dejavu -geometry {size} -e"),
]
# Terminals that see modifiers only with the focus, which others lose when it is set on their inner window.
FOCUSED = {"alacritty", "zutty"}
NEEDED = [("Xvfb", "xvfb"), ("xdotool", "xdotool"), ("import", "imagemagick"), ("dbus-run-session", "dbus-daemon")]


def missing(program):
    return shutil.which(program) is None


class Screen:
    """A virtual screen with one terminal, in a home folder of its own."""

    def __init__(self, words, size, command):
        columns, rows = size
        self.home = tempfile.mkdtemp(prefix="terminal-")
        read, write = os.pipe()
        self.server = subprocess.Popen(
            ["Xvfb", "-displayfd", str(write), "-screen", "0", "1600x1000x24", "-nolisten", "tcp", "-noreset"], pass_fds=[write],
            stderr=subprocess.DEVNULL)
        os.close(write)
        with os.fdopen(read) as numbers:
            display = ":" + numbers.readline().strip()
        kept = {name: value for name, value in os.environ.items() if name in ("PATH", "XDG_DATA_DIRS")}
        self.environment = kept | {"HOME": self.home, "LANG": "C.UTF-8", "DISPLAY": display, "QT_QPA_PLATFORM": "xcb"}
        words = words.format(size=f"{columns}x{rows}", columns=columns, rows=rows).split()
        self.program = subprocess.Popen(
            words + (command if words[-1] == "-e" and "lxterminal" not in words else [" ".join(command)] if "lxterminal" in words else command),
            env=self.environment, cwd=self.home, start_new_session=True,
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def press(self, *keys, wait=1.0):
        """Presses keys where the pointer is; the X server has no window manager."""
        subprocess.run(["xdotool", "mousemove", "200", "150", "key", *keys], env=self.environment)
        time.sleep(wait)

    def focus(self):
        """Gives the window the keyboard focus, as a window manager would: some terminals see modifiers only then."""
        subprocess.run(["xdotool", "mousemove", "200", "150"], env=self.environment)
        place = subprocess.run(["xdotool", "getmouselocation", "--shell"], env=self.environment, capture_output=True, text=True).stdout
        window = [line.partition("=")[2] for line in place.splitlines() if line.startswith("WINDOW=")]
        subprocess.run(["xdotool", "windowfocus", *window], env=self.environment, stderr=subprocess.DEVNULL)
        time.sleep(0.3)

    def type(self, text, wait=0.5):
        subprocess.run(["xdotool", "type", text], env=self.environment)
        time.sleep(wait)

    def picture(self, path):
        """Keeps the screen as a PNG and returns its pixels."""
        subprocess.run(["import", "-window", "root", path], env=self.environment, check=True)
        data = subprocess.run(["convert", path, "-depth", "8", "ppm:-"], capture_output=True, check=True).stdout
        head, width_height, _, pixels = data.split(b"\n", 3)
        return Pixels(int(width_height.split()[0]), pixels)

    def end(self):
        for process in (self.program, self.server):
            try:
                os.killpg(process.pid, signal.SIGTERM) if process is self.program else process.terminate()
                process.wait(5)
            except (ProcessLookupError, subprocess.TimeoutExpired):
                process.kill()
        shutil.rmtree(self.home, ignore_errors=True)


class Pixels:
    def __init__(self, width, data):
        self.width, self.data = width, data
        self.height = len(data) // 3 // width

    def colors(self, left=0, top=0, right=None, bottom=None):
        """The colors of a part, each with its number of pixels."""
        right, bottom = right or self.width, bottom or self.height
        counts = {}
        for y in range(top, bottom):
            row = self.data[(y * self.width + left) * 3:(y * self.width + right) * 3]
            for x in range(0, len(row), 3):
                color = row[x:x + 3]
                counts[color] = counts.get(color, 0) + 1
        return counts
