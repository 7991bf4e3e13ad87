"""A program with one real X window that shows lines of text: `python -m tests.fakes.windows '{"title": …}'`.

Prints the window id when it is mapped. Then one JSON object a line on stdin changes it, answered by `ok`:
{"title"}, {"cls"}, {"text": [lines]}, {"color"}, {"geometry": [x, y, w, h]}, {"iconify": true}. It ends with its stdin.

Options beside those: `wm_name` (Latin-1 text for WM_NAME only), `title_hex` (raw bytes for _NET_WM_NAME), `pid` (a
number, or null for none), `dialog`, `unmanaged` (override-redirect), `font` (path), `font_px`.
"""

import json
import os
import select
import struct
import sys
from typing import Any

import xcffib
import xcffib.xproto as x
from PIL import Image, ImageColor, ImageDraw, ImageFont

STRIP_ROWS = 64


class TextWindow:
    """The window; all drawing is done by Pillow, so that any script and size can be shown."""

    def __init__(self, options: dict[str, Any]) -> None:
        self.options = {"geometry": [100, 100, 640, 400], "color": "#ffffff", "text": [], "font_px": 20, **options}
        self.conn = xcffib.connect()
        self.screen = self.conn.setup.roots[self.conn.pref_screen]
        self.window = self.conn.generate_id()
        self.gc = self.conn.generate_id()
        left, top, width, height = self.options["geometry"]
        mask = x.CW.BackPixel | x.CW.OverrideRedirect | x.CW.EventMask
        red, green, blue = ImageColor.getrgb(self.options["color"])[:3]
        values = [red << 16 | green << 8 | blue, bool(options.get("unmanaged")), 0x8000 | 0x20000]
        self.conn.core.CreateWindow(
            self.screen.root_depth, self.window, self.screen.root, left, top, width, height, 0, 1,
            self.screen.root_visual, mask, values,
        )  # fmt: skip
        self.conn.core.CreateGC(self.gc, self.window, 0, [])
        self.describe()
        self.conn.core.MapWindow(self.window)
        self.conn.flush()

    def atom(self, name: str) -> int:
        return self.conn.core.InternAtom(False, len(name), name).reply().atom

    def put(self, name: str, kind: str, bits: int, data: bytes) -> None:
        count = len(data) * 8 // bits
        self.conn.core.ChangeProperty(0, self.window, self.atom(name), self.atom(kind), bits, count, data)

    def describe(self) -> None:
        """All properties a window manager or a recorder looks at."""
        options = self.options
        if options.get("cls"):
            cls = options["cls"]
            self.put("WM_CLASS", "STRING", 8, f"{cls.lower()}\0{cls}\0".encode())
        pid = options.get("pid", os.getpid())
        if pid is not None:
            self.put("_NET_WM_PID", "CARDINAL", 32, struct.pack("=I", pid))
        if options.get("dialog"):
            kind = self.atom("_NET_WM_WINDOW_TYPE_DIALOG")
            self.put("_NET_WM_WINDOW_TYPE", "ATOM", 32, struct.pack("=I", kind))
        left, top, width, height = options["geometry"]
        hints = struct.pack("=18I", 0b11, left, top, width, height, *[0] * 13)  # the user chose place and size
        self.put("WM_NORMAL_HINTS", "WM_SIZE_HINTS", 32, hints)
        self.put("WM_PROTOCOLS", "ATOM", 32, struct.pack("=I", self.atom("WM_DELETE_WINDOW")))
        self.name()

    def name(self) -> None:
        options = self.options
        if "title_hex" in options:
            self.put("_NET_WM_NAME", "UTF8_STRING", 8, bytes.fromhex(options["title_hex"]))
        elif "wm_name" in options:
            self.put("WM_NAME", "STRING", 8, options["wm_name"].encode("latin-1"))
        elif "title" in options:
            self.put("_NET_WM_NAME", "UTF8_STRING", 8, options["title"].encode("utf-8"))
            self.put("WM_NAME", "STRING", 8, options["title"].encode("latin-1", "replace"))

    def change(self, options: dict[str, Any]) -> None:
        self.options.update(options)
        if options.get("iconify"):
            change = self.atom("WM_CHANGE_STATE")
            event = struct.pack("=BBHII5I", 33, 32, 0, self.window, change, 3, 0, 0, 0, 0)
            self.conn.core.SendEvent(False, self.screen.root, 0x180000, event)
        if "geometry" in options:
            left, top, width, height = options["geometry"]
            self.conn.core.ConfigureWindow(self.window, 15, [left & 0xFFFFFFFF, top & 0xFFFFFFFF, width, height])
        if "cls" in options:
            self.describe()
        if {"title", "title_hex", "wm_name"} & set(options):
            self.name()
        self.draw()
        self.conn.core.GetInputFocus().reply()

    def draw(self) -> None:
        place = self.conn.core.GetGeometry(self.window).reply()
        image = Image.new("RGB", (place.width, place.height), self.options["color"])
        pen = ImageDraw.Draw(image)
        size = self.options["font_px"]
        path = self.options.get("font")
        font = ImageFont.truetype(path, size) if path else ImageFont.load_default(size)
        ink = "#000000" if sum(ImageColor.getrgb(self.options["color"])[:3]) > 380 else "#ffffff"
        for row, line in enumerate(self.options["text"]):
            pen.text((16, 12 + row * round(size * 1.5)), line, font=font, fill=ink)
        data = image.convert("RGBA").tobytes("raw", "BGRA")
        for top in range(0, place.height, STRIP_ROWS):
            rows = min(STRIP_ROWS, place.height - top)
            part = data[top * place.width * 4 : (top + rows) * place.width * 4]
            self.conn.core.PutImage(
                2, self.window, self.gc, place.width, rows, 0, top, 0, self.screen.root_depth, len(part), part
            )
        self.conn.flush()

    def run(self) -> None:
        """Draw when exposed, obey stdin, end with it or when closed."""
        told, rest = False, b""
        while True:
            events = iter(self.conn.poll_for_event, None)
            kinds = {type(event) for event in events}
            if x.ClientMessageEvent in kinds:
                return
            if x.ExposeEvent in kinds:
                self.draw()
                self.conn.core.GetInputFocus().reply()
                if not told:
                    print(f"{self.window:#x}", flush=True)
                    told = True
                continue
            ready, _, _ = select.select([self.conn.get_file_descriptor(), 0], [], [])
            if 0 in ready:
                data = os.read(0, 65536)
                if not data:
                    return
                *lines, rest = (rest + data).split(b"\n")
                for line in lines:
                    self.change(json.loads(line))
                    print("ok", flush=True)


if __name__ == "__main__":
    TextWindow(json.loads(sys.argv[1])).run()
