# SPDX-License-Identifier: Apache-2.0
"""The space of actions and observations: gymnasium's Box where it is installed, else one of the same shape."""

from __future__ import annotations

from typing import Any, Optional

import numpy as np

from .._arrays import Array

try:
    import gymnasium  # type: ignore[import]
except ImportError:
    gymnasium = None


class _OwnBox:
    """Arrays between two bounds."""

    def __init__(self, low: Any, high: Any, dtype: Any = np.float64, seed: Optional[int] = None):
        self.low = np.asarray(low, dtype=dtype)
        self.high = np.asarray(high, dtype=dtype)
        self.shape = self.low.shape
        self.dtype = np.dtype(dtype)
        self._random = np.random.default_rng(seed)

    def seed(self, seed: Optional[int] = None) -> None:
        """Begin the random numbers of `sample` again."""
        self._random = np.random.default_rng(seed)

    def sample(self) -> Array:
        """A random element; coordinates without bounds are normal."""
        bounded = np.isfinite(self.low) & np.isfinite(self.high)
        low, high = np.where(bounded, self.low, 0.0), np.where(bounded, self.high, 1.0)
        drawn = np.where(bounded, self._random.uniform(low, high), self._random.normal(size=self.shape))
        return drawn.astype(self.dtype)

    def contains(self, x: Any) -> bool:
        """Is x an element?"""
        array = np.asarray(x)
        return array.shape == self.shape and bool(np.all(array >= self.low) and np.all(array <= self.high))

    def __contains__(self, x: Any) -> bool:
        return self.contains(x)

    def __repr__(self) -> str:
        return f"Box({self.low.min()}, {self.high.max()}, {self.shape}, {self.dtype})"


def Box(low: Any, high: Any) -> Any:
    """A space of doubles."""
    low, high = np.asarray(low, dtype=np.float64), np.asarray(high, dtype=np.float64)
    if gymnasium is not None:
        return gymnasium.spaces.Box(low, high, dtype=np.float64)
    return _OwnBox(low, high)


#: What environments derive from, so that gymnasium's wrappers and checker accept them.
EnvBase: Any = gymnasium.Env if gymnasium is not None else object
