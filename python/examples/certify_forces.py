# SPDX-License-Identifier: Apache-2.0
"""The certificate of someone else's contact forces: soft contacts, a friction pyramid, and the exact answer."""

import numpy as np
import uptack


def main() -> None:
    # the friction problem of the next step of a stack that is pushed sideways
    sim = uptack.Sim("stack:3", dt=0.01)
    sim.v[12] = 0.5  # the top box slides along x
    problem = sim.coulomb()

    # three answers to it, of which we know nothing but the impulses
    exact = problem.solve().r
    pyramid = problem.with_sections(("inscribed", 4, np.pi / 4)).solve(solver="lcp", lcp="lemke").r
    frictionless = exact.reshape(-1, 3).copy()
    frictionless[:, 1:] = 0
    halved = 0.5 * exact

    errors = {}
    for name, r in (("exact", exact), ("pyramid", pyramid), ("frictionless", frictionless.ravel()), ("halved", halved)):
        verdict = problem.judge(r)
        errors[name] = verdict.E
        print(f"{name:13} E = {verdict.E:.2e}, {verdict.e:.2e} m/s, worst at contact {verdict.contact}, cone {verdict.cone:.1e}")
    assert errors["exact"] < 1e-8
    assert errors["pyramid"] > 1e-2  # a pyramid turned by 45 degrees has less friction along x
    assert errors["frictionless"] > 1e-2
    assert errors["halved"] > 1e-2

    # the same with a step that was taken: its own impulses pass, others fail, and the certificate says where
    sim.step()
    r = sim.contacts["r"]
    changed = r.copy()
    changed[5] *= 1.01
    print(sim.certify(r), sim.certify(changed))
    assert sim.certify(r) and not sim.certify(changed)
    assert sim.certify(changed).reason == "momentum"


if __name__ == "__main__":
    main()
