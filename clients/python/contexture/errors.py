"""What goes wrong."""

from __future__ import annotations

from typing import Any, Dict, Optional


class ContextureError(Exception):
    """A refusal of the server, which changed nothing; code is stable and can be relied on."""

    def __init__(self, status: int, problem: Dict[str, Any]) -> None:
        super().__init__("{}: {}".format(problem.get("code"), problem.get("detail")))
        self.status = status
        self.problem = problem
        self.code: str = str(problem.get("code", ""))
        self.field: Optional[str] = problem.get("field")


class NoAnswer(Exception):
    """No answer came for as long as the client is patient.

    ``unknown`` says that the server may have done what it was asked: the call has no id by which a
    repeat would be known, so that it was not sent again.
    """

    def __init__(self, message: str, unknown: bool) -> None:
        super().__init__(message)
        self.unknown = unknown
