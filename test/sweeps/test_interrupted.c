// SPDX-License-Identifier: Apache-2.0
// Sweeps that are divided, killed, cut off and repeated end with the same bytes.
#define _XOPEN_SOURCE 700
#include "sweeps.h"

#ifdef __EMSCRIPTEN__

TEST(interrupted_sweeps)
{
    test_skip("no program can be started from WebAssembly");
}

#else

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// 60 jobs of some ms, with contacts.
static const char spec[] =
    "{\"model\": \"grip.xml\", \"seed\": 1, \"run\": {\"time\": 0.1}, \"samples\": 12,\n"
    " \"parameters\": {\"mu\": {\"from\": 0.1, \"to\": 1, \"count\": 5}, \"F\": {\"range\": [4, "
    "12]},\n"
    "  \"m\": {\"normal\": [0, 0.01]}},\n"
    " \"set\": [\"left.friction={mu}\", \"box.friction={mu}\"], \"start\": {\"box.qd[2]\": "
    "\"{m}\"},\n"
    " \"ctrl\": {\"left\": \"{F}\", \"right\": \"{F} + sin(20*t)\"},\n"
    " \"outputs\": [\"box.z\", {\"min\": \"box.z\"}, \"E\"]}\n";

// The tables of a sweep that nothing disturbed: whole.csv, whole.npz, whole.h5 (empty without HDF5).
static bool make_whole(void)
{
    static bool made;
    if (!sweeps_begin()) {
        return false;
    }
    if (!made) {
        sweeps_write("s.json", spec);
        made = CHECK_INT(
            sweeps_run("$U sweep s.json -o whole --threads 1 && $U merge whole -o whole.csv "
                       "&& $U merge whole -o whole.npz && "
                       "{ $U merge whole -o whole.h5 || true; }"),
            0);
        CHECK(strstr(sweeps_out, "60 of 60 jobs have a result: 60 ok") != NULL);
    }
    return made;
}

// Does a folder merge to the same bytes?
static void check_merged(const char* folder)
{
    CHECK_INT(sweeps_run("$U merge %s -o x.csv && $U merge %s -o x.npz", folder, folder), 0);
    CHECK(sweeps_same("whole.csv", "x.csv"));
    CHECK(sweeps_same("whole.npz", "x.npz"));
    if (sweeps_run("test -s whole.h5") == 0) {
        CHECK_INT(sweeps_run("$U merge %s -o x.h5", folder), 0);
        CHECK(sweeps_same("whole.h5", "x.h5"));
    }
}

TEST(tables_have_the_same_bytes_for_every_number_of_threads)
{
    static const int threads[] = {2, 3, 4, 8};
    if (!make_whole()) {
        return;
    }
    for (size_t k = 0; k < sizeof threads / sizeof *threads; k++) {
        sweeps_remove("t");
        CHECK_INT(sweeps_run("$U sweep s.json -o t --threads %d", threads[k]), 0);
        check_merged("t");
    }
}

TEST(tables_have_the_same_bytes_for_every_number_of_shards)
{
    static const int shards[] = {2, 7};
    if (!make_whole()) {
        return;
    }
    for (size_t k = 0; k < sizeof shards / sizeof *shards; k++) {
        sweeps_remove("t");
        for (int i = 0; i < shards[k]; i++) {
            CHECK_INT(sweeps_run("$U sweep s.json -o t --shard %d/%d", i, shards[k]), 0);
        }
        check_merged("t");
    }
}

TEST(tasks_of_slurm_are_shards)
{
    if (!make_whole()) {
        return;
    }
    sweeps_remove("t");
    // an array 10-14:2 of 3 tasks, the second of them in 2 tasks of srun
    CHECK_INT(
        sweeps_run(
            "export SLURM_ARRAY_TASK_COUNT=3 SLURM_ARRAY_TASK_MIN=10 SLURM_ARRAY_TASK_STEP=2\n"
            "SLURM_ARRAY_TASK_ID=10 $U sweep s.json -o t && "
            "SLURM_ARRAY_TASK_ID=14 $U sweep s.json -o t && "
            "SLURM_ARRAY_TASK_ID=12 SLURM_STEP_ID=0 SLURM_NTASKS=2 SLURM_PROCID=0 "
            "$U sweep s.json -o t && "
            "SLURM_ARRAY_TASK_ID=12 SLURM_STEP_ID=0 SLURM_NTASKS=2 SLURM_PROCID=1 "
            "$U sweep s.json -o t"),
        0);
    CHECK(strstr(sweeps_err, "shard 0/3 from SLURM_ARRAY_TASK_ID") != NULL);
    CHECK(strstr(sweeps_err, "shard 4/6 from") != NULL);
    check_merged("t");
    CHECK_INT(sweeps_run("SLURM_ARRAY_TASK_ID=5 SLURM_ARRAY_TASK_COUNT=3 $U sweep s.json -o t"), 2);
    CHECK_INT(sweeps_run("$U sweep \"it's.json\" -o t --sbatch=5"), 0);
    CHECK(strstr(sweeps_out, "#SBATCH --array=0-4\n") != NULL);
    CHECK(strstr(sweeps_out, "exec uptack sweep 'it'\\''s.json' -o 't'") != NULL);
}

// ---- kills --------------------------------------------------------------------------------------

// Started jobs without a result in all logs of t. od prints a pair of 32-bit numbers per line: a record
// begins with its size in bytes and its kind.
static int count_lost(void)
{
    CHECK_INT(sweeps_run("for f in t/*.log; do od -An -v -tu4 -w8 $f; done | awk '"
                         "left <= 0 { left = $1 / 8; started += $2 == 2; done += $2 == 3 } "
                         "{ left-- } END { print started - done }'"),
              0);
    return atoi(sweeps_out);
}

TEST(a_killed_sweep_goes_on_and_loses_at_most_one_job_per_thread)
{
    enum { KILLS = 6, THREADS = 2 };
    if (!make_whole()) {
        return;
    }
    sweeps_remove("t");
    int lost = 0, unfinished = 0;
    for (int k = 0; k < KILLS; k++) {
        const int before = lost;
        // the process and its child, which ends with it
        sweeps_run(
            "$U sweep s.json -o t --threads %d & sleep 0.%02d; kill -9 $!; wait $!; sleep 0.05",
            (int)THREADS, 3 + 3 * k);
        if (sweeps_run("test -e t/shard-0-of-1.log") == 0) {
            lost = count_lost();
            CHECK(lost - before <= THREADS);
            unfinished += sweeps_run("$U merge t") == 1;
        }
    }
    test_note("%d kills, %d in the middle, %d jobs were started again", (int)KILLS, unfinished,
              lost);
    CHECK_INT(
        sweeps_run("for i in 1 2 3 4 5 6 7 8 9; do $U sweep s.json -o t && break; sleep 0.3; done"),
        0);
    check_merged("t");
}

TEST(ctrl_c_ends_a_sweep_with_its_results)
{
    if (!make_whole()) {
        return;
    }
    sweeps_remove("t");
    const int code = sweeps_run("timeout --preserve-status -s INT 0.1 $U sweep s.json -o t");
    if (code != 0) { // else it was faster
        CHECK_INT(code, 130);
        CHECK_INT(count_lost() >= 0, 1);
    }
    CHECK_INT(sweeps_run("$U sweep s.json -o t"), 0);
    check_merged("t");
}

// The last record of a log is cut off at each of its bytes.
TEST(a_log_cut_at_every_byte_of_its_last_record_is_repaired)
{
    if (!sweeps_begin()) {
        return;
    }
    sweeps_write("cut.json", "{\"model\": \"ball.xml\", \"run\": {\"time\": 0.02}, \"repeat\": 3,\n"
                             " \"outputs\": [\"ball.z\"]}\n");
    sweeps_remove("t");
    CHECK_INT(
        sweeps_run("$U sweep cut.json -o t --threads 1 && $U merge t -o cut.csv && cp -r t cut"),
        0);
    CHECK_INT(sweeps_run("wc -c < t/shard-0-of-1.log"), 0);
    const int size = atoi(sweeps_out);
    // a result: 16 bytes, 16 of the result, 7 columns of 8, hash 8; before it a start of 24
    enum { RESULT = 16 + 16 + 7 * 8 + 8, START = 24 };
    int repaired = 0;
    for (int cut = size - RESULT - START; cut < size; cut++) {
        repaired += sweeps_run("cp cut/shard-0-of-1.log t/ && truncate -s %d t/shard-0-of-1.log && "
                               "$U sweep cut.json -o t >/dev/null && $U merge t -o x.csv && "
                               "cmp cut.csv x.csv",
                               cut) == 0;
    }
    CHECK_INT(repaired, RESULT + START);
    // a log that ends within its head is begun again; other bytes are no log
    CHECK_INT(
        sweeps_run("truncate -s 40 t/shard-0-of-1.log && $U sweep cut.json -o t >/dev/null && "
                   "$U merge t -o x.csv && cmp cut.csv x.csv"),
        0);
    CHECK_INT(sweeps_run("yes | head -c 500 > t/shard-0-of-1.log; $U sweep cut.json -o t"), 1);
    CHECK(strstr(sweeps_err, "t/shard-0-of-1.log: error: this is not the log of a sweep") != NULL);
}

// UPTACK_SWEEP_CRASH makes a job call abort().
TEST(a_job_that_crashes_twice_is_recorded_and_the_others_are_done)
{
    char cell[128] = "";
    if (!make_whole()) {
        return;
    }
    sweeps_remove("t");
    CHECK_INT(sweeps_run("ulimit -c 0; UPTACK_SWEEP_CRASH=7 $U sweep s.json -o t --threads 2"), 3);
    CHECK(strstr(sweeps_out, "60 of 60 jobs have a result: 59 ok, 1 crashed") != NULL);
    CHECK_INT(sweeps_run("$U merge t"), 0);
    for (int job = 6; job <= 8; job++) {
        CHECK(sweeps_cell(job, "status", cell));
        CHECK_TEXT(cell, job == 7 ? "crashed" : "ok");
    }
    // all other rows are as ever
    CHECK_INT(sweeps_run("$U merge t | sed 9d > a; sed 9d whole.csv | cmp a -"), 0);
}

// ---- changes ------------------------------------------------------------------------------------

TEST(a_changed_specification_or_model_is_refused)
{
    if (!make_whole()) {
        return;
    }
    sweeps_remove("t");
    CHECK_INT(sweeps_run("cp s.json s2.json; $U sweep s2.json -o t --shard 0/2"), 0);
    CHECK_INT(sweeps_run("$U merge t"), 1);
    CHECK(strstr(sweeps_err, "t: error: 30 of 60 jobs have no result yet") != NULL);
    CHECK_INT(sweeps_run("$U merge t --partial | wc -l | tr -d ' '"), 0);
    CHECK_TEXT(sweeps_out, "31\n");
    CHECK_INT(
        sweeps_run("sed 's/\"seed\": 1/\"seed\": 2/' s.json > s2.json; $U sweep s2.json -o t"), 1);
    CHECK(strstr(sweeps_err, "s2.json: error: the specification differs from the one") != NULL);
    CHECK_INT(
        sweeps_run("cp grip.xml keep.xml; sed -i 's/0.05 0.05 0.05/0.05 0.05 0.051/' grip.xml; "
                   "$U sweep s.json -o t; code=$?; cp keep.xml grip.xml; exit $code"),
        1);
    CHECK(strstr(sweeps_err, "holds results of another model") != NULL);
    CHECK_INT(sweeps_run("$U sweep s.json -o t --shard 1/2"), 0);
    check_merged("t");
}

TEST(two_processes_do_not_write_to_one_log)
{
    if (!make_whole()) {
        return;
    }
    sweeps_remove("t");
    const int code = sweeps_run("mkdir t; cp s.json t/spec.json; : > t/shard-0-of-1.log; "
                                "flock -n t/shard-0-of-1.log -c '$U sweep s.json -o t'");
    CHECK_INT(code, 1);
    CHECK(strstr(sweeps_err, "another process writes to it") != NULL);
}

// ---- MPI ----------------------------------------------------------------------------------------

TEST(tables_have_the_same_bytes_for_every_number_of_ranks)
{
    static const int ranks[] = {1, 2, 3};
    const char* mpi = getenv("UPTACK_MPI_PROGRAM");
    if (mpi == NULL || mpi[0] == '\0' || system("mpirun --version >/dev/null 2>&1") != 0) {
        test_skip("uptack-mpi or mpirun is not here");
        return;
    }
    if (!make_whole()) {
        return;
    }
    for (size_t k = 0; k < sizeof ranks / sizeof *ranks; k++) {
        sweeps_remove("t");
        CHECK_INT(
            sweeps_run(
                "export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1; "
                "mpirun --oversubscribe --bind-to none -n %d '%s' sweep s.json -o t --threads 2",
                ranks[k], mpi),
            0);
        check_merged("t");
    }
}

#endif
