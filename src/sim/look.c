// Where everything is, where it would go, and what it may touch on the way.
#include <string.h>

#include "internal.h"

int ut_sim_max_rows(const utModel* model)
{
    // a limit at both ends, dry friction of each velocity, a row for each
    // actuator
    return 3 * model->nv + model->nu;
}

static utStatus find_contacts(Step* step)
{
    utSim* sim = step->sim;
    int pairs = 0;
    int* pair = ut_arena_push(&step->arena, (size_t)sim->max_pairs, 2 * sizeof *pair);
    step->contact = UT_PUSH(&step->arena, utContact, sim->max_contacts);
    if (pair == NULL || step->contact == NULL) {
        return UT_ERR_CAPACITY;
    }
    ut_contact_bound(&step->scene, sim->broad);
    const utStatus status = ut_contact_find(&step->scene, sim->broad, sim->max_pairs, pair, &pairs,
                                            sim->max_contacts, step->contact, &step->contacts);
    if (status == UT_ERR_CAPACITY) {
        // the next try has room for what was found, and for some more
        sim->max_pairs = pairs > sim->max_pairs ? 2 * pairs : sim->max_pairs;
        sim->max_contacts =
            step->contacts > sim->max_contacts ? 2 * step->contacts : sim->max_contacts;
    }
    return status;
}

// b without gaps, for the formulations that have none
static void drop_gaps(Step* step)
{
    const utSim* sim = step->sim;
    for (int i = 0; sim->formulation->no_gaps && i < step->contacts; i++) {
        const double gap = step->contact[i].gap;
        const bool counted = gap > 0.0 || sim->formulation->signed_gaps;
        step->contact[i].b[0] -= counted ? gap / sim->h : 0.0;
    }
}

utStatus ut_step_look_again(Step* step, bool* more)
{
    const int before = step->contacts;
    WarmImpulse* warm = UT_PUSH(&step->arena, WarmImpulse, before + step->rows);
    if (warm == NULL) {
        return UT_ERR_CAPACITY;
    }
    utContact* contact = step->contact;
    step->warm = warm;
    step->warm_count = ut_contact_keep(before, contact, step->rows, step->row, warm);
    step->warm_share = 1.0;
    step->scene.v_next = step->v_next;
    UT_TRY(find_contacts(step));
    drop_gaps(step);
    *more = step->contacts > before;
    if (!*more) {
        step->contacts = before;
        step->contact = contact;
    }
    return UT_OK;
}

utStatus ut_step_look(Step* step)
{
    utSim* sim = step->sim;
    const utModel* model = sim->model;
    const utSmooth smooth = {
        .model = model,
        .gravity = model->options.gravity,
        .tau = step->force,
        .applied = step->applied,
        .mocap_pos = sim->mocap_pos,
        .mocap_quat = sim->mocap_quat,
    };
    ut_kinematics_place(&sim->kin, step->q, sim->mocap_pos, sim->mocap_quat);
    ut_kinematics_move(&sim->kin, step->v, step->mocap_velocity);
    step->v_free = UT_PUSH(&step->arena, double, model->nv);
    step->row = UT_PUSH(&step->arena, utRow, ut_sim_max_rows(model));
    if (step->v_free == NULL || step->row == NULL) {
        return UT_ERR_CAPACITY;
    }
    UT_TRY(ut_smooth_free(&smooth, sim->h, &sim->kin, step->q, step->v, step->more, NULL,
                          &sim->mass, step->arena, step->v_free));
    step->scene = (ContactScene){
        .model = model,
        .kin = &sim->kin,
        .h = sim->h,
        .v = step->v,
        .v_free = step->v_free,
        .mocap_velocity = step->mocap_velocity,
        .signed_gaps = sim->formulation->signed_gaps,
    };
    UT_TRY(find_contacts(step));
    drop_gaps(step);
    step->rows = ut_contact_rows(&step->scene, step->q, step->law, step->laws, step->row);
    for (int i = 0; i < step->contacts; i++) {
        const double depth = -step->contact[i].gap;
        step->max_penetration = depth > step->max_penetration ? depth : step->max_penetration;
    }
    return UT_OK;
}
