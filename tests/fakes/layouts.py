"""A desktop that tells nobody its monitors."""

from biny_desktop.capture.platforms.outputs import Layout


class NoLayout:
    """`LayoutSource` that does not know; tests derive those that do."""

    def layout(self) -> Layout | None:
        return None

    def close(self) -> None:
        """Nothing to hang up."""
