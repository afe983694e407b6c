// SPDX-License-Identifier: Apache-2.0
// The acceleration model: lines +-e_j through the tangent plane, and the phantom inertia rho that
// couples the two saturations of each line.
//
// In the printed order (v, r_t, r_n, kappa+, kappa-), with the impulses of joints after v:
//
//     r_t      .  0  0  -E   E
//     r_n      .  0  0   0   0
//     kappa+   0  E' mu  0  rho    = sigma_-
//     kappa-   0 -E' mu rho  0     = sigma_+
//
// Without velocities the first two rows also have the blocks of W. sigma_+ belongs to kappa_- and the
// other way round: a contact slips along -e_j when its friction along +e_j is at the bound.
#include "polyhedral.h"

int ut_acceleration_lines(const utSection* section)
{
    return section->edges > 0 ? section->edges / 2 : 1;
}

void ut_acceleration_line(const utSection* section, int j, double* e)
{
    e[0] = section->edges > 0 ? section->normal[j][0] : 1.0;
    if (section->edges > 0) {
        e[1] = section->normal[j][1];
    }
}

// |B|_2 of the block B = (a b; c d) of tangents of contacts i and j. The roots of (a + d)^2 + (b - c)^2
// and of (a - d)^2 + (b + c)^2 are the sum and the difference of the singular values, so the larger
// one is half the sum of these roots.
static double block_norm(const utCoulomb* local, int i, int j)
{
    const int d = local->dimension;
    const size_t N = (size_t)ut_coulomb_rows(local);
    const double* B = local->W + (size_t)(d * i + 1) * N + (size_t)(d * j + 1);
    if (d == 2) {
        return fabs(B[0]);
    }
    return 0.5 * (ut_polyhedral_length(B[0] + B[N + 1], B[1] - B[N]) +
                  ut_polyhedral_length(B[0] - B[N + 1], B[1] + B[N]));
}

// By the default rule the block matrix A of the tangents satisfies A <= diag(1/rho_i) (block
// Gershgorin), so 2 A^-1 - rho >= rho > 0. The eigenvalues of the friction block are rho and those of
// 2 E'A^-1 E - rho: none is 0, and the LCP is regular.
void ut_acceleration_inertias(LcpWriter* w)
{
    for (int i = 0; i < w->problem->contacts; i++) {
        if (w->stick[i] < 0) {
            continue;
        }
        if (w->def->rho != NULL) {
            w->rho[i] = w->def->rho[i];
            continue;
        }
        double sum = 0.0;
        for (int j = 0; j < w->problem->contacts; j++) {
            sum += w->stick[j] >= 0 ? block_norm(&w->local, i, j) : 0.0;
        }
        w->rho[i] = sum > 0.0 ? 1.0 / sum : 1.0; // any rho is right for an immovable contact
    }
}

void ut_acceleration_fill(LcpWriter* w)
{
    const utPolyhedral* out = &w->out;
    const int t = out->dimension - 1;
    for (int i = 0; i < out->contacts; i++) {
        // {|e_j.x| <= inradius}: 1 where the section is circumscribed
        const double mu = w->problem->mu[i] * ut_coulomb_section(w->problem, i)->inradius;
        for (int j = w->first[i]; j < w->first[i + 1]; j++) {
            const int plus = out->kappa_plus + j;
            const int minus = out->kappa_minus + j;
            for (int c = 0; c < t; c++) {
                const int tangent = out->tangent + w->stick[i] * t + c;
                const double e = w->direction[(size_t)j * (size_t)t + (size_t)c];
                *ut_writer_entry(w, tangent, plus) = 0.0 - e;
                *ut_writer_entry(w, tangent, minus) = e;
                *ut_writer_entry(w, plus, tangent) = e;
                *ut_writer_entry(w, minus, tangent) = 0.0 - e;
            }
            *ut_writer_entry(w, plus, out->normal + i) = mu;
            *ut_writer_entry(w, minus, out->normal + i) = mu;
            *ut_writer_entry(w, plus, minus) = w->rho[i];
            *ut_writer_entry(w, minus, plus) = w->rho[i];
        }
    }
}
