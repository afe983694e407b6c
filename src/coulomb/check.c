// Looks at a problem once, at the door; behind it everything is trusted.
#include <limits.h>

#include "internal.h"
#include "la/kernel.h"

int ut_coulomb_rows(const utCoulomb* problem)
{
    return problem->dimension * problem->contacts + problem->bilaterals;
}

static utStatus check_sizes(const utCoulomb* problem, utError* err)
{
    if (problem->dimension != 2 && problem->dimension != 3) {
        return ut_error_set(err, UT_ERR_ARGUMENT,
                            "dimension is %d; it is 2 in the plane and 3 in space",
                            problem->dimension);
    }
    if (problem->contacts < 0 || problem->bilaterals < 0) {
        return ut_error_set(err, UT_ERR_ARGUMENT, "%s is %d; it cannot be negative",
                            problem->contacts < 0 ? "contacts" : "bilaterals",
                            problem->contacts < 0 ? problem->contacts : problem->bilaterals);
    }
    const double rows = (double)problem->dimension * problem->contacts + problem->bilaterals;
    if (!(rows >= 1.0 && rows <= INT_MAX)) {
        return ut_error_set(err, UT_ERR_ARGUMENT, "there are %.0f rows; 1 to %d can be solved",
                            rows, INT_MAX);
    }
    return UT_OK;
}

static utStatus check_friction(const utCoulomb* problem, utError* err)
{
    if (problem->contacts == 0) {
        return UT_OK;
    }
    if (problem->mu == NULL || problem->section == NULL) {
        return ut_error_set(err, UT_ERR_ARGUMENT, "contacts need mu and a section");
    }
    if (problem->section->cookie != UT_DEF_COOKIE) {
        return ut_error_set(err, UT_ERR_ARGUMENT,
                            "the section was not made by one of the functions of uptack/law.h");
    }
    if (problem->section->dimension != problem->dimension) {
        return ut_error_set(err, UT_ERR_ARGUMENT,
                            "the section is for dimension %d but the problem has dimension %d",
                            problem->section->dimension, problem->dimension);
    }
    for (int i = 0; i < problem->contacts; i++) {
        if (!(problem->mu[i] >= 0.0) || !isfinite(problem->mu[i])) {
            return ut_error_set(err, UT_ERR_ARGUMENT,
                                "mu[%d] is %g; it must be finite and not negative", i,
                                problem->mu[i]);
        }
    }
    return UT_OK;
}

static utStatus check_form(const utCoulomb* problem, utError* err)
{
    const bool local = problem->W != NULL || problem->q != NULL;
    const bool global =
        problem->M != NULL || problem->f != NULL || problem->J != NULL || problem->b != NULL;
    if (local == global) {
        return ut_error_set(err, UT_ERR_ARGUMENT,
                            "%s given; it is either W and q, or M, f, J and b",
                            local ? "both forms are" : "no form is");
    }
    if (local && (problem->W == NULL || problem->q == NULL)) {
        return ut_error_set(err, UT_ERR_ARGUMENT, "the local form needs both W and q");
    }
    if (global &&
        (problem->M == NULL || problem->f == NULL || problem->J == NULL || problem->b == NULL)) {
        return ut_error_set(err, UT_ERR_ARGUMENT, "the global form needs all of M, f, J and b");
    }
    if (global && problem->dof < 1) {
        return ut_error_set(err, UT_ERR_ARGUMENT,
                            "dof is %d; the global form needs at least one velocity", problem->dof);
    }
    return UT_OK;
}

static utStatus check_matrix(int rows, int cols, const double* A, const char* name, utError* err)
{
    for (int i = 0; i < rows; i++) {
        const double* row = A + (size_t)i * (size_t)cols;
        if (isfinite(ut_max_abs(cols, row))) {
            continue;
        }
        for (int j = 0; j < cols; j++) {
            if (!isfinite(row[j])) {
                return ut_error_set(err, UT_ERR_ARGUMENT, "%s[%d][%d] is not a finite number", name,
                                    i, j);
            }
        }
    }
    return UT_OK;
}

static utStatus check_vector(int n, const double* x, const char* name, utError* err)
{
    for (int i = 0; i < n; i++) {
        if (!isfinite(x[i])) {
            return ut_error_set(err, UT_ERR_ARGUMENT, "%s[%d] is not a finite number", name, i);
        }
    }
    return UT_OK;
}

// M is symmetric when its entries agree to the rounding of sums of the size of its diagonal.
static utStatus check_mass(int n, const double* M, utError* err)
{
    const size_t order = (size_t)n;
    for (size_t i = 0; i < order; i++) {
        if (!(M[i * order + i] > 0.0)) {
            return ut_error_set(err, UT_ERR_ARGUMENT,
                                "M[%d][%d] is %g; a mass matrix has a positive diagonal", (int)i,
                                (int)i, M[i * order + i]);
        }
        for (size_t j = 0; j < i; j++) {
            const double a = M[i * order + j];
            const double b = M[j * order + i];
            const double size = sqrt(M[i * order + i]) * sqrt(M[j * order + j]);
            if (!(fabs(a - b) <= 1e-12 * size)) {
                return ut_error_set(err, UT_ERR_ARGUMENT,
                                    "M[%d][%d] is %g but M[%d][%d] is %g; M must be symmetric",
                                    (int)i, (int)j, a, (int)j, (int)i, b);
            }
        }
    }
    return UT_OK;
}

utStatus ut_coulomb_check(const utCoulomb* problem, utError* err)
{
    if (problem == NULL) {
        return ut_error_set(err, UT_ERR_ARGUMENT, "a problem is needed");
    }
    UT_TRY(check_sizes(problem, err));
    UT_TRY(check_friction(problem, err));
    UT_TRY(check_form(problem, err));
    const int N = ut_coulomb_rows(problem);
    if (problem->W != NULL) {
        UT_TRY(check_matrix(N, N, problem->W, "W", err));
        return check_vector(N, problem->q, "q", err);
    }
    UT_TRY(check_matrix(problem->dof, problem->dof, problem->M, "M", err));
    UT_TRY(check_mass(problem->dof, problem->M, err));
    UT_TRY(check_vector(problem->dof, problem->f, "f", err));
    UT_TRY(check_matrix(N, problem->dof, problem->J, "J", err));
    return check_vector(N, problem->b, "b", err);
}
