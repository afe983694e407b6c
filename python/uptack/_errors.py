# SPDX-License-Identifier: Apache-2.0
"""Exceptions. Each has the file, line and column where they are known."""

from __future__ import annotations

from typing import Any, Optional

# utStatus of uptack/base.h
_ARGUMENT, _DEF, _CAPACITY, _MEMORY, _FORMAT, _IO, _NOT_TAKEN = range(1, 8)


class Error(Exception):
    """What could not be done, where, and what would help.

    Attributes: message (without the place), file ('' for none), line and column (1-based, 0 for
    unknown), status (the number of the C interface).
    """

    def __init__(self, message: str = "", file: str = "", line: int = 0, column: int = 0, status: int = 0):
        super().__init__(message)
        self.message = message
        self.file = file
        self.line = line
        self.column = column
        self.status = status

    def __str__(self) -> str:
        place = self.file
        if place and self.line > 0:
            place += f":{self.line}"
            if self.column > 0:
                place += f":{self.column}"
        return f"{place}: {self.message}" if place else self.message

    def __reduce__(self) -> Any:
        return type(self), (self.message, self.file, self.line, self.column, self.status)


class ArgumentError(Error, ValueError):
    """An argument that cannot be used, or an attribute that does not exist."""


class FormatError(Error, ValueError):
    """A text or a file that does not follow its format."""


class FileError(Error, OSError):
    """A file that cannot be opened, read or written."""


class UncertifiedStep(Error):
    """A step did not pass its certificate and was not taken.

    The same step would fail again: shorten dt, change the input, or create the sim with
    on_uncertified='flag' or 'keep'. Attributes besides those of Error: time (s, at which the step
    began) and certificate.
    """

    time: float = 0.0
    certificate: Any = None

    def __reduce__(self) -> Any:
        return _rebuild_uncertified, (self.args[0], self.time, self.certificate)


def _rebuild_uncertified(message: str, time: float, certificate: Any) -> UncertifiedStep:
    error = UncertifiedStep(message, status=_NOT_TAKEN)
    error.time = time
    error.certificate = certificate
    return error


def make(status: int, file: str, line: int, column: int, message: str) -> BaseException:
    """The exception of a status of the C interface."""
    if status in (_CAPACITY, _MEMORY):
        return MemoryError(message)
    kind = {_ARGUMENT: ArgumentError, _DEF: ArgumentError, _FORMAT: FormatError, _IO: FileError}.get(status, Error)
    return kind(message, file, line, column, status)


def make_uncertified(message: str, time: float, certificate: dict[str, Any]) -> UncertifiedStep:
    from ._report import Certificate

    made: Optional[Certificate] = Certificate(**certificate)
    return _rebuild_uncertified(message, time, made)
