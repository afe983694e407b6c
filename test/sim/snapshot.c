// Snapshots: what is not one is refused and changes nothing; what is one brings everything back.
#include "all_inputs.h"

// Mocap bodies on their way, other controls: all that a snapshot has to carry.
static void move_on(utSim* sim, int steps)
{
    const utModel* model = ut_sim_model(sim);
    double pos[6], quat[8];
    const double ctrl[2] = {-0.1, 0.4};
    memcpy(pos, model->mocap_pos, sizeof pos);
    memcpy(quat, model->mocap_quat, sizeof quat);
    for (int k = 0; k < steps; k++) {
        pos[0] += 1e-3;
        quat[1] += 1e-3;
        const utInput input = {.ctrl = ctrl, .mocap_pos = pos, .mocap_quat = quat};
        CHECK_INT(ut_sim_step(sim, &input, NULL, NULL), UT_OK);
    }
}

TEST(a_snapshot_brings_everything_back)
{
    utModel* model = inputs_model();
    utSim* sim = inputs_sim(model);
    utSim* other = inputs_sim(model);
    inputs_run(sim, 30);
    move_on(sim, 10);
    Picture saved = take_picture(sim);
    inputs_run(other, 3);
    CHECK(!looks_the_same(other, &saved));
    CHECK_INT(ut_sim_load(other, saved.bytes, saved.size, NULL), UT_OK);
    CHECK(looks_the_same(other, &saved));

    // without inputs, mocap bodies stay where the snapshot says
    inputs_run(sim, 60);
    inputs_run(other, 60);
    Picture later = take_picture(sim);
    CHECK(looks_the_same(other, &later));
    free_picture(&later);
    free_picture(&saved);
    ut_sim_destroy(other);
    ut_sim_destroy(sim);
    ut_model_destroy(model, NULL);
}

TEST(a_snapshot_that_is_cut_off_is_refused_at_every_length)
{
    utModel* model = inputs_model();
    utSim* sim = inputs_sim(model);
    inputs_run(sim, 40);
    Picture saved = take_picture(sim);
    inputs_run(sim, 5);
    Picture before = take_picture(sim);
    for (size_t size = 0; size < saved.size; size++) {
        // memory of that very size, for the sanitizers
        void* part = malloc(size > 0 ? size : 1);
        utError err = {0};
        memcpy(part, saved.bytes, size);
        CHECK_INT(ut_sim_load(sim, part, size, &err), UT_ERR_ARGUMENT);
        CHECK(err.message[0] != '\0' && looks_the_same(sim, &before));
        CHECK_INT(ut_sim_save(sim, part, size), UT_ERR_CAPACITY);
        free(part);
    }
    CHECK_INT(ut_sim_load(sim, NULL, saved.size, NULL), UT_ERR_ARGUMENT);
    CHECK(looks_the_same(sim, &before));
    free_picture(&before);
    free_picture(&saved);
    ut_sim_destroy(sim);
    ut_model_destroy(model, NULL);
}

// The state stands at the end but for the kept impulses, so damage from the front to there is
// either seen or a number of the state that is still finite.
TEST(numbers_of_the_state_that_are_not_finite_are_refused)
{
    utModel* model = inputs_model();
    utSim* sim = inputs_sim(model);
    inputs_run(sim, 40);
    Picture saved = take_picture(sim);
    const double* q = ut_sim_q(sim);
    const double nan_value = (double)NAN;
    int found = 0;
    // q is where its bytes are
    for (size_t at = 0; at + (size_t)model->nq * sizeof *q <= saved.size; at += sizeof *q) {
        if (memcmp(saved.bytes + at, q, (size_t)model->nq * sizeof *q) != 0) {
            continue;
        }
        const int numbers = model->nq + model->nv + 7 * model->nmocap;
        for (int k = 0; k < numbers; k++) {
            unsigned char* bytes = malloc(saved.size);
            utError err = {0};
            char wanted[32];
            memcpy(bytes, saved.bytes, saved.size);
            memcpy(bytes + at + (size_t)k * sizeof *q, &nan_value, sizeof nan_value);
            CHECK_INT(ut_sim_load(sim, bytes, saved.size, &err), UT_ERR_ARGUMENT);
            snprintf(wanted, sizeof wanted, "number %d ", k);
            CHECK(strncmp(err.message, wanted, strlen(wanted)) == 0);
            CHECK(looks_the_same(sim, &saved));
            free(bytes);
            found++;
        }
    }
    CHECK_INT(found, model->nq + model->nv + 7 * model->nmocap);
    free_picture(&saved);
    ut_sim_destroy(sim);
    ut_model_destroy(model, NULL);
}

TEST(a_snapshot_of_another_model_is_refused)
{
    utModel* model = inputs_model();
    utModelDef* def = NULL;
    utModel* other_model = NULL;
    CHECK_INT(ut_model_def_create(NULL, &def), UT_OK);
    const int body = inputs_body(def, 0, ut_vec3(0.0, 0.0, 1.0), false);
    inputs_joint(def, body, UT_JOINT_FREE, ut_vec3(0.0, 1.0, 0.0));
    CHECK_INT(ut_model_compile(def, NULL, &other_model, NULL), UT_OK);
    ut_model_def_destroy(def);
    utSim* sim = inputs_sim(model);
    utSim* other = inputs_sim(other_model);
    Picture saved = take_picture(other);
    Picture before = take_picture(sim);
    utError err;
    CHECK_INT(ut_sim_load(sim, saved.bytes, saved.size, &err), UT_ERR_ARGUMENT);
    CHECK(strstr(err.message, "another model") != NULL);
    CHECK(looks_the_same(sim, &before));
    free_picture(&before);
    free_picture(&saved);
    ut_sim_destroy(other);
    ut_sim_destroy(sim);
    ut_model_destroy(other_model, NULL);
    ut_model_destroy(model, NULL);
}
