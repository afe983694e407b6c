// SPDX-License-Identifier: Apache-2.0
// A snapshot taken at any moment, loaded in a new process, goes on with the same bits. One run of a
// scene makes all snapshots and notes what the hash is some steps after each; then every file is
// handed to a new process of this program that loads it, goes on and prints its hash.
#define _POSIX_C_SOURCE 200809L
#include "every.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MAX_MOMENTS = 256, MAX_PATH = 512 };

typedef struct Moments {
    int count;
    int step[MAX_MOMENTS]; // before which a snapshot is taken, ascending
    uint64_t hash[MAX_MOMENTS];
    size_t bytes; // of the largest
} Moments;

static int by_step(const void* a, const void* b)
{
    return *(const int*)a - *(const int*)b;
}

// Moments differ from scene to scene and are the same in every run.
static void draw_moments(const Options* o, const char* name, Moments* m)
{
    utRng rng = ut_rng(ut_hash_bytes(UT_HASH_START, name, strlen(name)), 0);
    m->count = o->moments < MAX_MOMENTS ? o->moments : MAX_MOMENTS;
    for (int i = 0; i < m->count; i++) {
        m->step[i] = ut_rng_below(&rng, o->span);
    }
    qsort(m->step, (size_t)m->count, sizeof m->step[0], by_step);
}

// ---- files --------------------------------------------------------------------------------------

static void snapshot_path(const char* folder, int i, char path[MAX_PATH])
{
    snprintf(path, MAX_PATH, "%s/%d.snapshot", folder, i);
}

static bool write_snapshot(const char* path, const utSim* sim, size_t* largest)
{
    const size_t size = ut_sim_snapshot_size(sim);
    void* bytes = malloc(size);
    FILE* file = fopen(path, "wb");
    bool ok = bytes != NULL && file != NULL && ut_sim_save(sim, bytes, size) == UT_OK &&
              fwrite(bytes, 1, size, file) == size;
    ok = file != NULL && fclose(file) == 0 && ok;
    free(bytes);
    *largest = size > *largest ? size : *largest;
    return ok;
}

static bool load_snapshot(const char* path, utSim* sim, utError* err)
{
    FILE* file = fopen(path, "rb");
    if (file == NULL) {
        ut_error_set(err, UT_ERR_IO, "cannot be read");
        return false;
    }
    (void)fseek(file, 0, SEEK_END);
    const long size = ftell(file);
    rewind(file);
    void* bytes = size > 0 ? malloc((size_t)size) : NULL;
    const bool ok = bytes != NULL && fread(bytes, 1, (size_t)size, file) == (size_t)size &&
                    ut_sim_load(sim, bytes, (size_t)size, err) == UT_OK;
    free(bytes);
    (void)fclose(file);
    return ok;
}

// ---- the new process ----------------------------------------------------------------------------

int mode_resume(const Options* o)
{
    Scene scene;
    utError err = {0};
    if (o->snapshot == NULL || o->scenes.count != 1 ||
        !open_scene(o->scenes.name[0], NULL, &scene)) {
        return 2;
    }
    bool ok = load_snapshot(o->snapshot, scene.sim, &err);
    if (!ok) {
        fprintf(stderr, "%s: %s\n", o->snapshot, err.message);
    }
    ok = ok && take_steps(&scene, o->steps);
    if (ok) {
        printf("%016" PRIx64 "\n", ut_sim_hash(scene.sim));
    }
    close_scene(&scene);
    return ok ? 0 : 1;
}

static void become_resume(const Options* o, const char* name, const char* path, int out)
{
    char steps[16];
    snprintf(steps, sizeof steps, "%d", o->steps);
    (void)dup2(out, STDOUT_FILENO);
    execlp(o->program, o->program, "resume", "--scene", name, "--snapshot", path, "--steps", steps,
           (char*)NULL);
    _exit(127);
}

// @return false when the process failed or printed no hash
static bool resume(const Options* o, const char* name, const char* path, uint64_t* hash)
{
    int ends[2];
    if (pipe(ends) != 0) {
        return false;
    }
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        become_resume(o, name, path, ends[1]);
    }
    (void)close(ends[1]);
    FILE* out = fdopen(ends[0], "r");
    const bool read = out != NULL && fscanf(out, "%16" SCNx64, hash) == 1;
    if (out != NULL) {
        (void)fclose(out);
    }
    int status = 1;
    return child > 0 && waitpid(child, &status, 0) == child && status == 0 && read;
}

// ---- a scene ------------------------------------------------------------------------------------

// One run: snapshots, and the hashes that are to come.
static bool run_through(const Options* o, const char* name, const char* folder, Moments* m)
{
    Scene scene;
    char path[MAX_PATH];
    bool ok = open_scene(name, NULL, &scene);
    const int last = m->count > 0 ? m->step[m->count - 1] + o->steps : 0;
    for (int k = 0; k <= last && ok; k++) {
        for (int i = 0; i < m->count; i++) {
            if (m->step[i] == k) {
                snapshot_path(folder, i, path);
                ok = ok && write_snapshot(path, scene.sim, &m->bytes);
            }
            if (m->step[i] + o->steps == k) {
                m->hash[i] = ut_sim_hash(scene.sim);
            }
        }
        ok = ok && take_steps(&scene, 1);
    }
    close_scene(&scene);
    return ok;
}

static void try_scene(const Options* o, const char* name, const char* folder, Verdict* verdict)
{
    Moments m = {0};
    char path[MAX_PATH];
    draw_moments(o, name, &m);
    const bool ran = run_through(o, name, folder, &m);
    int equal = 0, first = -1;
    for (int i = 0; i < m.count && ran; i++) {
        uint64_t hash = 0;
        snapshot_path(folder, i, path);
        const bool same = resume(o, name, path, &hash) && hash == m.hash[i];
        equal += same;
        first = !same && first < 0 ? m.step[i] : first;
        (void)remove(path);
    }
    const bool ok = count_case(verdict, ran && m.count > 0 && equal == m.count);
    printf("%-4s %-26s %7d %7d %7d %9zu", ok ? "ok" : "FAIL", name, m.count, o->steps, equal,
           m.bytes);
    if (first >= 0) {
        printf("  first at step %d", first);
    }
    printf("\n");
}

void mode_snapshots(const Options* o, Verdict* verdict)
{
    char folder[] = "/tmp/every-scene-XXXXXX";
    if (mkdtemp(folder) == NULL) {
        printf("there is no temporary folder\n");
        count_case(verdict, false);
        return;
    }
    printf("     %-26s %7s %7s %7s %9s\n", "scene", "moments", "steps", "equal", "bytes");
    for (int i = 0; i < o->scenes.count; i++) {
        try_scene(o, o->scenes.name[i], folder, verdict);
    }
    (void)rmdir(folder);
}
