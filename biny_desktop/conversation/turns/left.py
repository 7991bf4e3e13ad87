"""How a turn is left where it stands: neither finished nor cancelled, as if its process had ended there."""


class TurnLeftError(BaseException):
    """Raised out of a turn's `go_on` when the app closes, or another process took over; whoever runs turns catches it.

    No `Exception`: nothing in between may take it for a fault of the turn and end that. The checkpoint stays.
    """
