// Contacts as the narrow phase finds them lie between their shapes, and no others do.
#include <uptack/collision.h>

#include "scene.h"

static const utVec3 SIZES[UT_SHAPE_KIND_COUNT] = {
    [UT_SHAPE_PLANE] = {1, 1, 1},
    [UT_SHAPE_SPHERE] = {0.3, 0, 0},
    [UT_SHAPE_CAPSULE] = {0.2, 0.4, 0},
    [UT_SHAPE_BOX] = {0.4, 0.3, 0.2},
};

// Two free bodies, or one and a plane in the world, each with one shape.
static utModel* make_pair(utShapeKind a, utShapeKind b)
{
    utModelDef* def = NULL;
    ut_model_def_create(NULL, &def);
    const utShapeKind kinds[2] = {a, b};
    for (int k = 0; k < 2; k++) {
        int body = 0;
        if (kinds[k] != UT_SHAPE_PLANE) {
            const utBodyDef body_def = ut_body_def();
            body = ut_model_def_body(def, &body_def);
            const utJointDef joint = ut_joint_def(body, UT_JOINT_FREE);
            ut_model_def_joint(def, &joint);
        }
        utGeomDef geom = ut_geom_def(body, kinds[k], SIZES[kinds[k]]);
        geom.pos = ut_vec3(0.1, -0.2, 0.3);
        geom.quat = ut_quat(0.5, 0.5, -0.5, 0.5);
        ut_model_def_geom(def, &geom);
    }
    utModel* model = NULL;
    utError err;
    if (!CHECK_INT(ut_model_compile(def, NULL, &model, &err), UT_OK)) {
        test_note("%s", err.message);
    }
    ut_model_def_destroy(def);
    return model;
}

typedef struct Meeting {
    utModel* model;
    double q[14], v[12];
    utContact contact[UT_MANIFOLD_MAX];
    int contacts;
    double geometry; ///< of the certificate
} Meeting;

static void judge(Meeting* m)
{
    static double q_next[14];
    const utStepReport report = {.model = m->model,
                                 .h = 0.01,
                                 .integrator = UT_INTEGRATOR_EULER,
                                 .formulation = "coulomb",
                                 .q = m->q,
                                 .v = m->v,
                                 .v_free = m->v,
                                 .v_next = m->v,
                                 .q_next = q_next,
                                 .contacts = m->contacts,
                                 .contact = m->contact};
    utCertificate c;
    CHECK_INT(ut_certify(&report, 1e-8, test_arena(), &c), UT_OK);
    m->geometry = c.geometry;
}

static void collide(Meeting* m, double margin)
{
    utArena arena = test_arena();
    utKinematics kin;
    utFrame at[2];
    utTouch touch[UT_MANIFOLD_MAX];
    CHECK_INT(ut_kinematics_create(m->model, &arena, &kin), UT_OK);
    ut_kinematics_place(&kin, m->q, NULL, NULL);
    for (int k = 0; k < 2; k++) {
        at[k] = ut_frame_mul(kin.body[m->model->geom[k].body], m->model->geom[k].in_body);
    }
    m->contacts =
        ut_collide(&m->model->geom[0].shape, at[0], &m->model->geom[1].shape, at[1], margin, touch);
    for (int i = 0; i < m->contacts; i++) {
        utContact* c = &m->contact[i];
        *c = (utContact){.geom1 = 0,
                         .geom2 = 1,
                         .point = touch[i].point,
                         .gap = touch[i].gap,
                         .mu = ut_model_friction(m->model, 0, 1)};
        c->frame[0] = touch[i].normal;
        ut_tangent_basis(c->frame[0], &c->frame[1], &c->frame[2]);
    }
}

static void random_place(Meeting* m, utRng* rng, bool flat)
{
    for (int b = 0; b < m->model->nq / 7; b++) {
        double* q = m->q + 7 * b;
        for (int i = 0; i < 7; i++) {
            q[i] = i < 3 ? ut_rng_range(rng, -0.6, 0.6) : flat ? 0.0 : ut_rng_normal(rng);
        }
        q[3] = flat ? 1.0 : q[3];
    }
    ut_model_normalize(m->model, m->q, NULL);
}

TEST(contacts_of_the_narrow_phase_lie_between_their_shapes)
{
    int found = 0;
    for (int a = 0; a < UT_SHAPE_KIND_COUNT; a++) {
        for (int b = a == UT_SHAPE_PLANE ? 1 : 0; b < UT_SHAPE_KIND_COUNT; b++) {
            Meeting m = {.model = make_pair((utShapeKind)a, (utShapeKind)b)};
            utRng rng = ut_rng((uint64_t)a, (uint64_t)b);
            for (int k = 0; k < 200; k++) {
                random_place(&m, &rng, k % 4 == 0);
                collide(&m, 0.2);
                found += m.contacts;
                if (m.contacts == 0) {
                    continue;
                }
                judge(&m);
                if (!CHECK(m.geometry <= 1e-11)) {
                    test_note("%s and %s, %d: %g", ut_shape_kind_name((utShapeKind)a),
                              ut_shape_kind_name((utShapeKind)b), k, m.geometry);
                }
            }
            ut_model_destroy(m.model, NULL);
        }
    }
    CHECK(found > 1000);
}

// Gap, point, normal, geoms: each by itself.
TEST(contacts_that_are_off_do_not)
{
    for (int a = 0; a < UT_SHAPE_KIND_COUNT; a++) {
        Meeting m = {.model = make_pair((utShapeKind)a, UT_SHAPE_BOX)};
        utRng rng = ut_rng((uint64_t)a, 77);
        for (int k = 0; k < 40; k++) {
            random_place(&m, &rng, false);
            collide(&m, 0.2);
            for (int spoil = 0; spoil < 5 && m.contacts > 0; spoil++) {
                utContact* c = &m.contact[m.contacts - 1];
                const utContact good = *c;
                const utVec3 n = c->frame[0];
                if (spoil == 0) {
                    c->gap += 1e-7;
                } else if (spoil == 1) {
                    c->point = ut_vec3_add_scaled(c->point, 1e-7, n);
                } else if (spoil == 2) {
                    c->frame[0] = ut_vec3_negate(n);
                    c->frame[1] = ut_vec3_negate(c->frame[1]);
                } else if (spoil == 3) {
                    c->frame[1] = ut_vec3_scale(c->frame[1], 1.0 + 1e-6);
                } else {
                    c->geom1 = 1;
                    c->geom2 = 0;
                }
                judge(&m);
                if (!CHECK(m.geometry > 1e-9)) {
                    test_note("kind %d, %d, spoilt by %d: %g", a, k, spoil, m.geometry);
                }
                *c = good;
            }
        }
        ut_model_destroy(m.model, NULL);
    }
}

// A capsule along x, 0.1 above a plane: its shaft is 0.4 long to each side.
TEST(a_capsule_ends_where_it_ends)
{
    Meeting m = {.model = make_pair(UT_SHAPE_PLANE, UT_SHAPE_CAPSULE)};
    utArena arena = test_arena();
    utKinematics kin;
    m.q[3] = 1.0;
    CHECK_INT(ut_kinematics_create(m.model, &arena, &kin), UT_OK);
    ut_kinematics_place(&kin, m.q, NULL, NULL);
    // turn the body so that capsule and plane are in one frame, the capsule's axis along the
    // plane's x
    const utQuat plane = m.model->geom[0].quat, capsule = m.model->geom[1].quat;
    const utQuat lay = ut_quat_from_axis_angle(ut_vec3(0, 1, 0), 1.5707963267948966);
    const utQuat turn = ut_quat_mul(ut_quat_mul(plane, lay), ut_quat_conjugate(capsule));
    const utFrame ground = m.model->geom[0].in_body;
    const utVec3 center = ut_frame_point(ground, ut_vec3(0, 0, 0.3));
    const utVec3 at = ut_vec3_sub(center, ut_quat_rotate(turn, m.model->geom[1].in_body.p));
    const double q[7] = {at.x, at.y, at.z, turn.w, turn.x, turn.y, turn.z};
    memcpy(m.q, q, sizeof q);
    for (int k = 0; k < 2; k++) {
        const double x = k == 0 ? 0.39999 : 0.40001;
        utContact* c = &m.contact[0];
        *c = (utContact){.geom1 = 0, .geom2 = 1, .gap = 0.1, .mu = 1.0};
        c->point = ut_frame_point(ground, ut_vec3(x, 0, 0.05));
        c->frame[0] = ut_mat3_column(ground.R, 2);
        ut_tangent_basis(c->frame[0], &c->frame[1], &c->frame[2]);
        m.contacts = 1;
        judge(&m);
        // 1e-5 over the radius of 0.6 and the gap
        CHECK_NEAR(m.geometry, k == 0 ? 0.0 : 1e-5 / 0.7, 1e-9);
    }
    ut_model_destroy(m.model, NULL);
}
