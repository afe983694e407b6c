# SPDX-License-Identifier: Apache-2.0
"""Arrays between Python and C: numpy's kinds of rows, and conversions that say what is wrong."""

from __future__ import annotations

from typing import Any, Optional, Sequence

import numpy as np
import numpy.typing as npt

from ._errors import ArgumentError

#: Arrays in signatures; their kinds are named in the documentation.
Array = npt.NDArray[Any]

#: A row of `Sim.contacts`, as python/src/report.c lays it out. Impulses act on geom2 (N s).
CONTACT = np.dtype(
    [
        ("point", "f8", 3),  # world, m
        ("normal", "f8", 3),  # world, from geom1 to geom2
        ("gap", "f8"),  # as the step used it, m; negative for an overlap
        ("mu", "f8"),
        ("impulse", "f8", 3),  # on geom2, world, N s
        ("slip", "f8"),  # m/s
        ("frame", "f8", (3, 3)),  # rows: normal, two tangents
        ("r", "f8", 3),  # impulse in the frame
        ("u", "f8", 3),  # relative velocity after the step in the frame, b included, m/s
        ("b", "f8", 3),
        ("torque", "f8", 3),
        ("spin", "f8", 3),
        ("restitution", "f8"),
        ("rebound", "f8"),
        ("feature", "u8"),
        ("geom1", "i4"),
        ("geom2", "i4"),
        ("body1", "i4"),
        ("body2", "i4"),
        ("island", "i4"),
        ("condim", "i4"),
        ("state", "U6"),  # open, stick, slip or impact
    ]
)


def doubles(values: Any, shape: Optional[Sequence[int]] = None, name: str = "the array") -> Array:
    """Values as a contiguous array of doubles of a shape; -1 stands for any length."""
    array = np.ascontiguousarray(values, dtype=np.float64)
    if shape is not None:
        fits = array.ndim == len(shape) and all(n in (-1, m) for n, m in zip(shape, array.shape))
        if not fits:
            wanted = " x ".join("n" if n < 0 else str(n) for n in shape)
            raise ArgumentError(f"{name} has the shape {array.shape}; {wanted} is needed")
    return array


def integers(values: Any, size: int, name: str) -> Array:
    """Values as a contiguous array of C's int."""
    array = np.ascontiguousarray(values, dtype=np.intc)
    if array.shape != (size,):
        raise ArgumentError(f"{name} has the shape {array.shape}; ({size},) is needed")
    return array


def shown(data: Any, shape: Sequence[int] = (-1,), dtype: Any = np.float64) -> Array:
    """An array on the memory of a bytearray."""
    return np.frombuffer(data, dtype=dtype).reshape(shape)
