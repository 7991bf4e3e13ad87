"""What a person reads when vectors cannot be made, compared or rebuilt."""

from biny_desktop.core.errors import UnavailableError
from biny_desktop.core.i18n import mark


def no_embedder() -> UnavailableError:
    """There is nothing that makes vectors."""
    return UnavailableError(
        mark("No embedder"),
        mark("Nothing is installed or chosen that turns texts into vectors."),
        mark("Choose one on the Models page."),
    )


def mismatch() -> UnavailableError:
    """The index was made by another embedder."""
    return UnavailableError(
        mark("The index is of another embedder"),
        mark("Its vectors cannot be compared with new ones; nothing was added."),
        mark("Rebuild the index on the Models page."),
    )


def question_failed() -> UnavailableError:
    """The embedder raised at a question."""
    return UnavailableError(
        mark("The embedder failed"),
        mark("The question could not be turned into a vector."),
        mark("Search by words, or choose another embedder on the Models page."),
    )


def broken() -> UnavailableError:
    """The embedder raised at one text after the other."""
    return UnavailableError(
        mark("The embedder failed"),
        mark("It could not embed one text after the other; the index is as it was."),
        mark("Choose another one on the Models page, or install it again."),
    )


def busy() -> UnavailableError:
    """Another process works on the index."""
    return UnavailableError(
        mark("The index is being worked on"),
        mark("Another window or command rebuilds or repairs it just now."),
        mark("Wait a minute and try again."),
    )
