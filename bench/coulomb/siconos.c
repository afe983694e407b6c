// SPDX-License-Identifier: Apache-2.0
// Siconos Numerics beside us (Debian: libsiconos-numerics-dev). Gauss-Seidel gets W in blocks, for
// which it is written; Newton and ADMM are tried in several settings and the best one counts.
#include "bench_coulomb.h"

#ifdef UPTACK_HAVE_SICONOS

#include <siconos/numerics/FrictionContactProblem.h>
#include <siconos/numerics/Friction_cst.h>
#include <siconos/numerics/NonSmoothDrivers.h>
#include <siconos/numerics/NumericsMatrix.h>
#include <siconos/numerics/NumericsVerbose.h>
#include <siconos/numerics/SolverOptions.h>
#include <siconos/numerics/SparseBlockMatrix.h>

#include <stdlib.h>
#include <string.h>

// One entry of iparam may differ from the default; entry 0 is none.
typedef struct Setting {
    const char* name;
    NM_types storage;
    int option, value;
} Setting;

static const Setting nsgs_settings[] = {{"", NM_SPARSE_BLOCK, 0, 0}};

static const Setting newton_settings[] = {
    {"mumps", NM_SPARSE, SICONOS_FRICTION_3D_NSN_LINEAR_SOLVER, SICONOS_FRICTION_3D_NSN_USE_MUMPS},
    {"csparse", NM_SPARSE, SICONOS_FRICTION_3D_NSN_LINEAR_SOLVER,
     SICONOS_FRICTION_3D_NSN_USE_CSLUSOL},
    {"dense", NM_DENSE, 0, 0},
};

static const Setting admm_settings[] = {
    {"rho 1", NM_SPARSE, 0, 0},
    {"rho balanced", NM_SPARSE, SICONOS_FRICTION_3D_ADMM_IPARAM_RHO_STRATEGY,
     SICONOS_FRICTION_3D_ADMM_RHO_STRATEGY_SCALED_RESIDUAL_BALANCING},
};

#define COUNT(array) (int)(sizeof(array) / sizeof(array)[0])

static const struct {
    int id;
    int limit;
    int settings;
    const Setting* setting;
} solvers[CONTENDERS] = {
    [PEER_NSGS] = {SICONOS_FRICTION_3D_NSGS, 100000, COUNT(nsgs_settings), nsgs_settings},
    [PEER_NSN_AC] = {SICONOS_FRICTION_3D_NSN_AC, 1000, COUNT(newton_settings), newton_settings},
    [PEER_ADMM] = {SICONOS_FRICTION_3D_ADMM, 100000, COUNT(admm_settings), admm_settings},
};

struct Peer {
    FrictionContactProblem problem;
    SolverOptions* options;
    double* velocity;
};

bool peer_available(void)
{
    return true;
}

int peer_settings(Contender who)
{
    return solvers[who].settings;
}

const char* peer_setting(Contender who, int setting)
{
    return solvers[who].setting[setting].name;
}

int peer_limit(Contender who)
{
    return solvers[who].limit;
}

// W with its zeros left out; the diagonal always stays.
static NumericsMatrix* sparse_of(const double* columns, int n)
{
    NumericsMatrix* W = NM_create(NM_SPARSE, n, n);
    NM_triplet_alloc(W, n);
    W->matrix2->origin = NSM_TRIPLET;
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < n; i++) {
            double value = columns[(size_t)j * (size_t)n + (size_t)i];
            if (value != 0.0 || i == j) {
                CSparseMatrix_entry(W->matrix2->triplet, i, j, value);
            }
        }
    }
    return W;
}

static NumericsMatrix* matrix_of(const Instance* instance, NM_types storage)
{
    const int n = ut_coulomb_rows(&instance->local);
    if (storage == NM_DENSE) {
        return NM_create_from_data(NM_DENSE, n, n, instance->columns);
    }
    NumericsMatrix* sparse = sparse_of(instance->columns, n);
    CSparseMatrix* compressed = NM_csc(sparse);
    if (storage == NM_SPARSE) {
        return sparse;
    }
    NumericsMatrix* blocks = NM_create(NM_SPARSE_BLOCK, n, n);
    SBM_from_csparse(3, compressed, blocks->matrix1);
    return blocks;
}

Peer* peer_open(Contender who, int setting, const Instance* instance)
{
    const Setting* how = &solvers[who].setting[setting];
    const utCoulomb* local = &instance->local;
    Peer* peer = calloc(1, sizeof *peer);
    double* velocity = calloc((size_t)ut_coulomb_rows(local), sizeof *velocity);
    if (peer == NULL || velocity == NULL) {
        return NULL;
    }
    numerics_set_verbose(0);
    peer->velocity = velocity;
    peer->problem = (FrictionContactProblem){
        .dimension = 3,
        .numberOfContacts = local->contacts,
        .M = matrix_of(instance, how->storage),
        .q = (double*)(uintptr_t)local->q, // it only reads
        .mu = (double*)(uintptr_t)local->mu,
    };
    peer->options = solver_options_create(solvers[who].id);
    if (how->option != 0) {
        peer->options->iparam[how->option] = how->value;
    }
    return peer;
}

int peer_solve(Peer* peer, double tolerance, int max_iterations, double* r)
{
    const size_t size = 3 * (size_t)peer->problem.numberOfContacts * sizeof *r;
    memset(r, 0, size);
    memset(peer->velocity, 0, size);
    peer->options->dparam[SICONOS_DPARAM_TOL] = tolerance;
    peer->options->iparam[SICONOS_IPARAM_MAX_ITER] = max_iterations;
    return fc3d_driver(&peer->problem, r, peer->velocity, peer->options);
}

int peer_iterations(const Peer* peer)
{
    return peer->options->iparam[SICONOS_IPARAM_ITER_DONE];
}

#else

bool peer_available(void)
{
    return false;
}

int peer_settings(Contender who)
{
    (void)who;
    return 0;
}

const char* peer_setting(Contender who, int setting)
{
    (void)who;
    (void)setting;
    return "";
}

int peer_limit(Contender who)
{
    (void)who;
    return 0;
}

Peer* peer_open(Contender who, int setting, const Instance* instance)
{
    (void)who;
    (void)setting;
    (void)instance;
    return NULL;
}

int peer_solve(Peer* peer, double tolerance, int max_iterations, double* r)
{
    (void)peer;
    (void)tolerance;
    (void)max_iterations;
    (void)r;
    return -1;
}

int peer_iterations(const Peer* peer)
{
    (void)peer;
    return 0;
}

#endif
