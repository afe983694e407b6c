// SPDX-License-Identifier: Apache-2.0
// Jobs that end their process: a handler of fatal signals writes down which job it was, and a parent
// process starts another one.
#define _GNU_SOURCE // prctl's constants, sigaltstack
#include "sweeps/sweep_crash.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sweeps/sweep_record.h"

#if defined(__linux__)
#include <sys/prctl.h>
#endif

static const int fatal[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
enum { FATAL = sizeof fatal / sizeof *fatal, STACK = 1 << 16 };

// ---- the handler --------------------------------------------------------------------------------

// A handler gets no context, so these are all that it knows.
static volatile sig_atomic_t log_file = -1;
static _Thread_local volatile long long job_of_thread = -1;

static void note_crash(int number)
{
    const long long job = job_of_thread;
    if (job >= 0 && log_file >= 0) {
        unsigned char mark[SWEEP_MARK_BYTES];
        const size_t size = sweep_put_mark(SWEEP_RECORD_CRASHED, job, mark);
        if (write((int)log_file, mark, size) != (ssize_t)size) {
            _exit(SWEEP_EXIT_CRASHED); // the record is lost, and the job counts as started only
        }
        (void)fsync((int)log_file);
    }
    (void)signal(number, SIG_DFL);
    (void)raise(number);
}

void sweep_watch_crashes(const SweepLog* log)
{
    log_file = sweep_log_file(log);
    struct sigaction action = {.sa_flags = SA_ONSTACK | SA_RESETHAND};
    action.sa_handler = note_crash;
    sigemptyset(&action.sa_mask);
    for (int i = 0; i < FATAL; i++) {
        (void)sigaction(fatal[i], &action, NULL);
    }
}

#if defined(__EMSCRIPTEN__)

// WebAssembly has no signals of faults.
void sweep_watch_job(long long job)
{
    job_of_thread = job;
}

void sweep_unwatch_thread(void)
{
    job_of_thread = -1;
}

#else

static _Thread_local unsigned char* signal_stack; // for a stack that overflowed

void sweep_watch_job(long long job)
{
    if (signal_stack == NULL && job >= 0) {
        signal_stack = malloc(STACK);
        if (signal_stack != NULL) {
            (void)sigaltstack(&(stack_t){.ss_sp = signal_stack, .ss_size = STACK}, NULL);
        }
    }
    job_of_thread = job;
}

void sweep_unwatch_thread(void)
{
    job_of_thread = -1;
    if (signal_stack != NULL) {
        (void)sigaltstack(&(stack_t){.ss_flags = SS_DISABLE}, NULL);
        free(signal_stack);
        signal_stack = NULL;
    }
}

#endif

// ---- the parent ---------------------------------------------------------------------------------

static bool is_fatal(int status)
{
    if (WIFEXITED(status)) {
        return WEXITSTATUS(status) == SWEEP_EXIT_CRASHED;
    }
    for (int i = 0; i < FATAL && WIFSIGNALED(status); i++) {
        if (WTERMSIG(status) == fatal[i]) {
            return true;
        }
    }
    return false;
}

static volatile sig_atomic_t child_of_parent;

static void pass_on(int number)
{
    if (child_of_parent > 0) {
        (void)kill((pid_t)child_of_parent, number);
    }
}

// @return the exit code of one child, -1: it crashed
static int run_child(int (*work)(void* context), void* context)
{
    fflush(NULL);
    const pid_t parent = getpid();
    const pid_t child = fork();
    if (child == 0) {
        (void)signal(SIGTERM, SIG_DFL);
        (void)signal(SIGINT, SIG_DFL);
#if defined(__linux__)
        // kill -9 of the parent ends the child too
        (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
        if (getppid() != parent) {
            _exit(CLI_FAILED);
        }
        const int code = work(context);
        fflush(NULL);
        _exit(code);
    }
    if (child < 0) {
        return work(context); // no second process: go on without a parent
    }
    child_of_parent = (sig_atomic_t)child;
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    child_of_parent = 0;
    if (is_fatal(status)) {
        return -1;
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : CLI_SIGNAL + WTERMSIG(status);
}

int sweep_supervise(int retries, int (*work)(void* context), void* context)
{
    // Ctrl-C reaches the child by itself, because both belong to the terminal's group
    (void)signal(SIGINT, SIG_IGN);
    (void)signal(SIGCHLD, SIG_DFL); // else the child's exit code is lost
    struct sigaction action = {.sa_handler = pass_on, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    (void)sigaction(SIGTERM, &action, NULL);
    for (int k = 0; k <= retries; k++) {
        const int code = run_child(work, context);
        if (code >= 0) {
            return code;
        }
        fprintf(stderr, "uptack sweep: a job crashed its process%s\n",
                k < retries
                    ? "; going on"
                    : " again; the same command goes on without the jobs that crashed twice");
    }
    return CLI_FAILED;
}
