"""The Windows registry through `winreg`; importable only there."""

import sys

if sys.platform == "win32":
    import winreg

    class WindowsRegistry:
        """`run_key.Registry` of this user."""

        def read(self, key: str, value: str) -> str | bytes | None:
            """A value; numbers and lists count as none of ours."""
            try:
                with winreg.OpenKey(winreg.HKEY_CURRENT_USER, key) as opened:
                    found, _kind = winreg.QueryValueEx(opened, value)
            except FileNotFoundError:
                return None
            return found if isinstance(found, str | bytes) else ""

        def write(self, key: str, value: str, text: str) -> None:
            """Write a REG_SZ."""
            with winreg.CreateKeyEx(winreg.HKEY_CURRENT_USER, key, 0, winreg.KEY_SET_VALUE) as opened:
                winreg.SetValueEx(opened, value, 0, winreg.REG_SZ, text)

        def delete(self, key: str, value: str) -> None:
            """Delete a value."""
            try:
                with winreg.OpenKey(winreg.HKEY_CURRENT_USER, key, 0, winreg.KEY_SET_VALUE) as opened:
                    winreg.DeleteValue(opened, value)
            except FileNotFoundError:
                return
