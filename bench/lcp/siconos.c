// SPDX-License-Identifier: Apache-2.0
// Siconos Numerics beside us (Debian: libsiconos-numerics-dev). Its options are set to our
// tolerance and iteration limits; matrices go by columns.
#define _POSIX_C_SOURCE 200809L
#include "bench_lcp.h"

#ifdef UPTACK_HAVE_SICONOS

#include <siconos/numerics/LCP_Solvers.h>
#include <siconos/numerics/LinearComplementarityProblem.h>
#include <siconos/numerics/NumericsMatrix.h>
#include <siconos/numerics/NumericsVerbose.h>
#include <siconos/numerics/SolverOptions.h>
#include <siconos/numerics/lcp_cst.h>

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef void Solve(LinearComplementarityProblem* problem, double* z, double* w, int* info,
                   SolverOptions* options);

static const struct {
    int id;
    Solve* solve;
    int limit; // iterations; 0 for that of the pivoting solvers
} solvers[CONTENDERS] = {
    [PEER_LEXICO_LEMKE] = {SICONOS_LCP_LEMKE, lcp_lexicolemke, 0},
    [PEER_LEMKE] = {SICONOS_LCP_PIVOT, lcp_pivot, 0},
    [PEER_PGS] = {SICONOS_LCP_PGS, lcp_pgs, 1000},
    [PEER_NEWTON_FB] = {SICONOS_LCP_NEWTON_FB_FBLSA, lcp_newton_FB, 100},
    [PEER_NEWTON_MIN] = {SICONOS_LCP_NEWTON_MIN_FBLSA, lcp_newton_minFB, 100},
};

struct Peer {
    LinearComplementarityProblem problem;
    SolverOptions* options;
    Solve* solve;
    double* w;
    int out, err; // where the program's own output goes meanwhile
};

bool peer_available(void)
{
    return true;
}

// Its messages would land in the table: send what it prints nowhere while a peer is open.
static void mute(Peer* peer)
{
    fflush(stdout);
    fflush(stderr);
    int nowhere = open("/dev/null", O_WRONLY);
    peer->out = dup(STDOUT_FILENO);
    peer->err = dup(STDERR_FILENO);
    dup2(nowhere, STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
    close(nowhere);
}

static void unmute(Peer* peer)
{
    fflush(stdout);
    fflush(stderr);
    dup2(peer->out, STDOUT_FILENO);
    dup2(peer->err, STDERR_FILENO);
    close(peer->out);
    close(peer->err);
}

Peer* peer_open(Contender who, const Instance* instance)
{
    const int n = instance->lcp.n;
    Peer* peer = calloc(1, sizeof *peer);
    double* w = calloc((size_t)n, sizeof *w);
    if (peer == NULL || w == NULL) {
        free(peer);
        free(w);
        return NULL;
    }
    mute(peer);
    numerics_set_verbose(0);
    peer->w = w;
    peer->solve = solvers[who].solve;
    peer->problem.size = n;
    peer->problem.q = (double*)(uintptr_t)instance->lcp.q; // it only reads
    peer->problem.M = NM_create_from_data(NM_DENSE, n, n, instance->columns);
    peer->options = solver_options_create(solvers[who].id);
    peer->options->iparam[SICONOS_IPARAM_MAX_ITER] =
        solvers[who].limit > 0 ? solvers[who].limit : bench_pivots(n);
    peer->options->dparam[SICONOS_DPARAM_TOL] = ut_lcp_def().tolerance;
    if (who == PEER_LEMKE) {
        peer->options->iparam[SICONOS_LCP_IPARAM_PIVOTING_METHOD_TYPE] = SICONOS_LCP_PIVOT_LEMKE;
    }
    return peer;
}

void peer_close(Peer* peer)
{
    if (peer == NULL) {
        return;
    }
    // the matrix belongs to the instance
    peer->problem.M->matrix0 = NULL;
    NM_clear(peer->problem.M);
    free(peer->problem.M);
    solver_options_delete(peer->options);
    free(peer->options);
    unmute(peer);
    free(peer->w);
    free(peer);
}

int peer_solve(Peer* peer, double* z)
{
    int info = -1;
    size_t size = (size_t)peer->problem.size * sizeof *z;
    memset(z, 0, size);
    memset(peer->w, 0, size);
    peer->solve(&peer->problem, z, peer->w, &info, peer->options);
    return info;
}

bool peer_accepts(Peer* peer, double* z)
{
    double error;
    double tolerance = peer->options->dparam[SICONOS_DPARAM_TOL];
    return lcp_compute_error(&peer->problem, z, peer->w, tolerance, &error) == 0;
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

Peer* peer_open(Contender who, const Instance* instance)
{
    (void)who;
    (void)instance;
    return NULL;
}

void peer_close(Peer* peer)
{
    (void)peer;
}

int peer_solve(Peer* peer, double* z)
{
    (void)peer;
    (void)z;
    return -1;
}

bool peer_accepts(Peer* peer, double* z)
{
    (void)peer;
    (void)z;
    return false;
}

int peer_iterations(const Peer* peer)
{
    (void)peer;
    return 0;
}

#endif
