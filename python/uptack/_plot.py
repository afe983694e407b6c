# SPDX-License-Identifier: Apache-2.0
"""Small plots as SVG, which notebooks show inline; no other package is needed."""

from __future__ import annotations

import math
from html import escape
from typing import TYPE_CHECKING, Any, Mapping, Optional, Sequence, Union

import numpy as np

from ._arrays import Array
from ._errors import ArgumentError

if TYPE_CHECKING:
    from ._sim import Sim

_COLORS = ("#1f77b4", "#d62728", "#2ca02c", "#9467bd", "#ff7f0e", "#17becf", "#8c564b", "#7f7f7f")


class Plot:
    """A picture. Notebooks show it; `save` writes it as a file."""

    def __init__(self, svg: str):
        self.svg = svg

    def _repr_svg_(self) -> str:
        return self.svg

    def save(self, path: Any) -> None:
        """Write the SVG."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.svg)

    def __repr__(self) -> str:
        return f"<Plot: SVG of {len(self.svg)} bytes; save(path) writes it>"


def ticks(low: float, high: float, wanted: int = 5) -> list[float]:
    """Round numbers that span a range: 1, 2 or 5 times a power of ten apart."""
    if not high > low:
        return [low]
    raw = (high - low) / wanted
    power = 10.0 ** math.floor(math.log10(raw))
    step = next(m * power for m in (1, 2, 5, 10) if m * power >= raw * 0.999)
    first = math.ceil(low / step - 1e-9)
    last = math.floor(high / step + 1e-9)
    return [i * step for i in range(first, last + 1)]


def _bounds(values: Sequence[Array]) -> tuple[float, float]:
    finite = np.concatenate([v[np.isfinite(v)] for v in values]) if values else np.zeros(0)
    if len(finite) == 0:
        return 0.0, 1.0
    low, high = float(finite.min()), float(finite.max())
    margin = 0.04 * (high - low) or max(abs(high), 1.0) * 0.05
    return low - margin, high + margin


def plot(
    x: Any,
    lines: Union[Mapping[str, Any], Any],
    *,
    title: str = "",
    xlabel: str = "t, s",
    ylabel: str = "",
    size: tuple[int, int] = (560, 320),
    dots: bool = False,
) -> Plot:
    """Draw lines over x: one array, or several by name. dots: marks instead of lines."""
    named: Mapping[str, Any] = lines if isinstance(lines, Mapping) else {"": lines}
    xs = np.asarray(x, dtype=float)
    ys = {name: np.asarray(values, dtype=float) for name, values in named.items()}
    for name, values in ys.items():
        if values.shape != xs.shape:
            raise ArgumentError(f"line {name!r} has the shape {values.shape}; x has {xs.shape}")
    width, height = size
    left, right, top, bottom = 62, 14, 30 if title else 14, 44
    (x0, x1), (y0, y1) = _bounds([xs]), _bounds(list(ys.values()))

    def px(value: float) -> float:
        return left + (value - x0) / (x1 - x0) * (width - left - right)

    def py(value: float) -> float:
        return height - bottom - (value - y0) / (y1 - y0) * (height - top - bottom)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
        'font-family="sans-serif" font-size="12">',
        f'<rect width="{width}" height="{height}" fill="white"/>',
    ]
    for value in ticks(x0, x1):
        parts.append(f'<path d="M{px(value):.2f} {top}V{height - bottom}" stroke="#ddd"/>')
        parts.append(f'<text x="{px(value):.2f}" y="{height - bottom + 16}" text-anchor="middle">{value:.6g}</text>')
    for value in ticks(y0, y1):
        parts.append(f'<path d="M{left} {py(value):.2f}H{width - right}" stroke="#ddd"/>')
        parts.append(f'<text x="{left - 6}" y="{py(value) + 4:.2f}" text-anchor="end">{value:.6g}</text>')
    parts.append(f'<rect x="{left}" y="{top}" width="{width - left - right}" height="{height - top - bottom}" fill="none" stroke="#555"/>')
    for k, (name, values) in enumerate(ys.items()):
        color = _COLORS[k % len(_COLORS)]
        ok = np.isfinite(xs) & np.isfinite(values)
        points = [(px(a), py(b)) for a, b in zip(xs[ok], values[ok])]
        if dots:
            parts += [f'<circle cx="{a:.2f}" cy="{b:.2f}" r="3" fill="{color}"/>' for a, b in points]
        else:
            path = " ".join(f"{a:.2f},{b:.2f}" for a, b in points)
            parts.append(f'<polyline points="{path}" fill="none" stroke="{color}" stroke-width="1.5"/>')
        if name:
            y = top + 16 + 16 * k
            parts.append(f'<path d="M{width - right - 120} {y - 4}h18" stroke="{color}" stroke-width="2"/>')
            parts.append(f'<text x="{width - right - 98}" y="{y}">{escape(name)}</text>')
    parts.append(f'<text x="{(left + width - right) / 2}" y="{height - 8}" text-anchor="middle">{escape(xlabel)}</text>')
    middle = (top + height - bottom) / 2
    parts.append(f'<text x="14" y="{middle}" text-anchor="middle" transform="rotate(-90 14 {middle})">{escape(ylabel)}</text>')
    if title:
        parts.append(f'<text x="{left}" y="19" font-weight="bold">{escape(title)}</text>')
    parts.append("</svg>")
    return Plot("\n".join(parts))


def plot_sim(sim: "Sim", bodies: Sequence[str], seconds: float) -> Plot:
    """Heights of bodies' centres of mass over time, of a copy of the sim."""
    other = sim.copy()
    model = other.model
    chosen = list(bodies) or [b.name for b in model.bodies[1:] if b.name][: len(_COLORS)]
    rows: dict[str, list[float]] = {name: [] for name in chosen}
    time: list[float] = []

    def keep() -> None:
        time.append(other.time)
        for name in chosen:
            rows[name].append(float(other.body(name).com[2]))

    keep()
    failure: Optional[str] = None
    try:
        for _ in other.trajectory(seconds):
            keep()
    except Exception as error:  # the picture shows the run up to the step that failed
        failure = str(error)
    title = f"{model.name or model.source}: heights" + (f" (ended: {failure})" if failure else "")
    return plot(time, rows, title=title, ylabel="z of the centre of mass, m")
