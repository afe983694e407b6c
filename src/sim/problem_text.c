// The friction problem of an island as text, for whoever wants to look at it alone.
//
// The text form knows contacts only. A limit is one without friction: its row is the normal, and
// the tangents, on which nothing acts, stand for themselves. In planar worlds contacts have one.
#include <stdio.h>
#include <string.h>

#include "coulomb/delassus.h"
#include "internal.h"

// ---- text ---------------------------------------------------------------------------------------

// Text that is counted first, and written where there is room.
typedef struct Text {
    char* data; // NULL: count
    size_t size;
} Text;

static void put(Text* text, const char* word, size_t size)
{
    if (text->data != NULL) {
        memcpy(text->data + text->size, word, size);
    }
    text->size += size;
}

static void put_integer(Text* text, int value, char end)
{
    char word[16];
    const int size = snprintf(word, sizeof word, "%d%c", value, end);
    put(text, word, (size_t)size);
}

static void put_number(Text* text, double value, char end)
{
    char word[UT_NUMBER_SIZE];
    put(text, word, (size_t)ut_number_write(value, word));
    put(text, &end, 1);
}

// ---- the problem --------------------------------------------------------------------------------

// Where a row of the text stands in W, -1 for a tangent that is added.
static int row_in(const utCoulomb* local, int row)
{
    const int d = local->dimension;
    const int contact = row / d;
    if (contact < local->contacts) {
        return row;
    }
    return row % d == 0 ? d * local->contacts + contact - local->contacts : -1;
}

static double entry(const utCoulomb* local, int i, int j)
{
    const size_t N = (size_t)ut_coulomb_rows(local);
    const int one = row_in(local, i);
    const int two = row_in(local, j);
    if (one < 0 || two < 0) {
        return i == j ? 1.0 : 0.0;
    }
    return local->W[(size_t)one * N + (size_t)two];
}

static int count_entries(const utCoulomb* local, int n)
{
    int count = 0;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            count += entry(local, i, j) != 0.0;
        }
    }
    return count;
}

static void put_problem(const utCoulomb* local, Text* text)
{
    const int contacts = local->contacts + local->bilaterals;
    const int n = local->dimension * contacts;
    put(text, local->dimension == 2 ? "fc 2 " : "fc 3 ", 5);
    put_integer(text, contacts, ' ');
    put_integer(text, count_entries(local, n), '\n');
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            if (entry(local, i, j) != 0.0) {
                put_integer(text, i, ' ');
                put_integer(text, j, ' ');
                put_number(text, entry(local, i, j), '\n');
            }
        }
    }
    for (int i = 0; i < n; i++) {
        const int row = row_in(local, i);
        put_number(text, row >= 0 ? local->q[row] : 0.0, '\n');
    }
    for (int i = 0; i < contacts; i++) {
        put_number(text, i < local->contacts ? local->mu[i] : 0.0, '\n');
    }
}

// Rows that are pushed one way only are contacts without friction; others are none.
static bool has_contacts_only(const utCoulomb* problem)
{
    for (int j = 0; j < problem->bilaterals; j++) {
        if (problem->low[j] != 0.0 || problem->high[j] < HUGE_VAL) {
            return false;
        }
    }
    return true;
}

// ---- the island ---------------------------------------------------------------------------------

// @return UT_ERR_CAPACITY when the scratch is too small
static utStatus local_problem(utSim* sim, utArena* scratch, utCoulomb* local, utError* err)
{
    const utStepReport* report = &sim->last;
    const ContactScene scene = {
        .model = sim->model,
        .kin = &sim->kin,
        .h = report->h,
        .v = report->v,
        .v_free = report->v_free,
        .mocap_velocity = report->mocap_velocity,
        .signed_gaps = sim->formulation->signed_gaps,
    };
    IslandProblem* problem = UT_PUSH(scratch, IslandProblem, 1);
    if (problem == NULL) {
        return UT_ERR_CAPACITY;
    }
    UT_TRY(ut_contact_problem(&scene, &sim->mass, sim->last_island, report->contacts,
                              report->contact, report->rows, report->row, &sim->section, scratch,
                              problem));
    if (!has_contacts_only(&problem->coulomb)) {
        return ut_error_set(err, UT_ERR_ARGUMENT,
                            "it has joints with dry friction or limited actuators, which the text "
                            "form does not know");
    }
    return ut_coulomb_delassus(&problem->coulomb, scratch, local);
}

static utStatus write_text(utSim* sim, const utCoulomb* local, utText* out)
{
    Text text = {NULL, 0};
    put_problem(local, &text);
    utArena memory;
    UT_TRY(ut_arena_create(ut_arena_need(text.size, 1), sim->allocator, &memory));
    ut_arena_destroy(&sim->text, sim->allocator);
    sim->text = memory;
    utArena rest = memory;
    text = (Text){UT_PUSH(&rest, char, text.size), 0};
    put_problem(local, &text);
    *out = (utText){text.data, text.size};
    return UT_OK;
}

utStatus ut_sim_problem(utSim* sim, utText* text, utError* err)
{
    const utStepReport* report = &sim->last;
    if (!sim->has_last || report->islands == 0) {
        return ut_error_set(err, UT_ERR_ARGUMENT, "there was no step with contacts");
    }
    // the bodies are put where they were then, and back
    ut_kinematics_place(&sim->kin, sim->last_q, report->mocap_pos, report->mocap_quat);
    ut_kinematics_move(&sim->kin, report->v, report->mocap_velocity);
    utStatus status = UT_ERR_CAPACITY;
    for (size_t size = sim->step_size; status == UT_ERR_CAPACITY; size *= 2) {
        utArena scratch;
        utCoulomb local = {0};
        if (ut_arena_create(size, sim->allocator, &scratch) != UT_OK) {
            status = ut_error_set(err, UT_ERR_MEMORY, "%s", ut_status_text(UT_ERR_MEMORY));
            break;
        }
        utArena rest = scratch;
        status = ut_sim_has_parts(sim) ? ut_sim_restore_mass(sim, rest) : UT_OK;
        if (status == UT_OK) {
            status = local_problem(sim, &rest, &local, err);
        }
        if (status == UT_OK) {
            status = write_text(sim, &local, text);
        }
        ut_arena_destroy(&scratch, sim->allocator);
    }
    ut_sim_place(sim);
    return status;
}
