// SPDX-License-Identifier: Apache-2.0
// Engines of npm: write the job, run Node, read what it left.
#define _DEFAULT_SOURCE
#include "node.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <uptack/json.h>

#include "support/bench.h"

// where tools/deps puts the packages, and where the driver is: see bench/CMakeLists.txt
#ifndef UPTACK_NODE_PEERS
#define UPTACK_NODE_PEERS "build/peers"
#endif
#ifndef UPTACK_NODE_DRIVER
#define UPTACK_NODE_DRIVER "bench/engines/node/peers.mjs"
#endif

struct NodeStates {
    FILE* file;
    char base[PATH_MAX]; // of the names of the files between the two processes
    int bodies;
};

// ---- what is there ------------------------------------------------------------------------------

static bool node_itself(void)
{
    static int known = -1;
    if (known < 0) {
        known = system("node --version >/dev/null 2>&1") == 0;
    }
    return known == 1;
}

bool node_has(const char* engine)
{
    static const char* const package[][2] = {{"jolt", "jolt-physics"},
                                             {"mujoco", "@mujoco/mujoco"},
                                             {"rapier", "@dimforge/rapier3d-compat"}};
    char path[PATH_MAX];
    struct stat facts;
    for (int i = 0; i < 3; i++) {
        if (strcmp(engine, package[i][0]) == 0) {
            snprintf(path, sizeof path, "%s/node_modules/%s/package.json", UPTACK_NODE_PEERS,
                     package[i][1]);
            return stat(path, &facts) == 0 && node_itself();
        }
    }
    return false;
}

// ---- the process --------------------------------------------------------------------------------

typedef struct Start {
    const char* job;
    const char* out;
} Start;

// One thread for everything, and WebAssembly is compiled by the optimizing compiler alone, when a
// function is first called, which is before any step that counts: CPU time of the process is then
// CPU time of the steps.
static void become_node(void* context)
{
    const Start* start = context;
    execlp("node", "node", "--single-threaded", "--no-liftoff", "--no-wasm-tier-up",
           "--max-old-space-size=2048", UPTACK_NODE_DRIVER, UPTACK_NODE_PEERS, start->job,
           start->out, (char*)NULL);
    _exit(127);
}

static const char* named(const char* base, const char* ending, char path[PATH_MAX])
{
    snprintf(path, PATH_MAX, "%.*s%s", PATH_MAX - 16, base, ending);
    return path;
}

static void read_outcome(const char* path, NodeOutcome* outcome)
{
    utArena arena;
    utText text;
    utError err = {0};
    const utJson* root = NULL;
    if (ut_arena_create(0, NULL, &arena) != UT_OK) {
        return;
    }
    utArena keep = arena;
    if (ut_text_read(path, 0, &keep, &text, &err) == UT_OK &&
        ut_json_read(text, path, &keep, &root, &err) == UT_OK) {
        const utJson* gave_up = ut_json_member(root, "gave_up");
        const utJson* why = ut_json_member(root, "why");
        const utJson* repeats = ut_json_member(root, "repeats");
        outcome->ended = true;
        outcome->gave_up = gave_up != NULL && gave_up->boolean;
        if (why != NULL && why->type == UT_JSON_STRING) {
            snprintf(outcome->why, ENGINE_TEXT, "%.*s", ENGINE_TEXT - 1, why->string.data);
        }
        for (const utJson* r = repeats != NULL ? repeats->first : NULL;
             r != NULL && outcome->repeats < 8; r = r->next) {
            outcome->repeat[outcome->repeats++] = r->number;
        }
    }
    ut_arena_destroy(&arena);
}

NodeStates* node_run(const Job* job, const World* world, double seconds, NodeOutcome* outcome)
{
    NodeStates* states = calloc(1, sizeof *states);
    char job_path[PATH_MAX], path[PATH_MAX];
    *outcome = (NodeOutcome){0};
    if (states == NULL) {
        return NULL;
    }
    states->bodies = world->bodies;
    snprintf(states->base, sizeof states->base, "%s/run-%d", UPTACK_NODE_PEERS, (int)getpid());
    named(states->base, ".job", job_path);
    if (job_write(job, world, job_path)) {
        bench_apart(become_node, &(Start){job_path, states->base}, seconds);
        read_outcome(named(states->base, ".json", path), outcome);
        states->file = fopen(named(states->base, ".states", path), "rb");
    }
    unlink(job_path);
    unlink(named(states->base, ".json", path));
    unlink(named(states->base, ".states", path)); // it lives on until it is closed
    if (states->file == NULL) {
        free(states);
        return NULL;
    }
    return states;
}

// ---- the states ---------------------------------------------------------------------------------

static bool read_states(NodeStates* from, BodyState* to)
{
    for (int i = 0; i < from->bodies; i++) {
        double x[13];
        if (fread(x, sizeof *x, 13, from->file) != 13) {
            return false;
        }
        to[i] = (BodyState){ut_vec3(x[0], x[1], x[2]), ut_quat(x[3], x[4], x[5], x[6]),
                            ut_vec3(x[7], x[8], x[9]), ut_vec3(x[10], x[11], x[12])};
        // single precision: a quaternion of length 1 up to 1e-7 would be an overlap of 1e-8 m
        ut_quat_normalize(to[i].quat, &to[i].quat);
    }
    return true;
}

bool node_next(NodeStates* states, NodeLook* look, BodyState* before, BodyState* after)
{
    double head[3];
    if (fread(head, sizeof *head, 3, states->file) != 3) {
        return false;
    }
    *look = (NodeLook){(int)head[0], head[1], head[2] != 0.0};
    return (!look->pair || read_states(states, before)) && read_states(states, after);
}

void node_close(NodeStates* states)
{
    fclose(states->file);
    free(states);
}
