// SPDX-License-Identifier: Apache-2.0
// ODE (Debian: libode-dev, in double precision): maximal coordinates, friction by a pyramid that is
// scaled with the normal force.
#include "engines.h"

#ifdef UPTACK_HAVE_ODE

#include <ode/ode.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { CONTACTS_PER_PAIR = 8 };

typedef struct Engine {
    const World* world;
    dWorldID id;
    dSpaceID space;
    dJointGroupID contacts;
    dBodyID* body;
    dJointID* hinge;
    bool quick;
} Engine;

// ---- building -----------------------------------------------------------------------------------

static void to_quaternion(utQuat q, dQuaternion out)
{
    out[0] = q.w;
    out[1] = q.x;
    out[2] = q.y;
    out[3] = q.z;
}

static dBodyID make_body(Engine* engine, const WorldBody* from)
{
    dBodyID body = dBodyCreate(engine->id);
    dMass mass;
    dQuaternion q;
    dMassSetParameters(&mass, from->mass, 0.0, 0.0, 0.0, from->inertia.x, from->inertia.y,
                       from->inertia.z, 0.0, 0.0, 0.0);
    dBodySetMass(body, &mass);
    dBodySetPosition(body, from->pos.x, from->pos.y, from->pos.z);
    to_quaternion(from->quat, q);
    dBodySetQuaternion(body, q);
    dBodySetLinearVel(body, from->velocity.x, from->velocity.y, from->velocity.z);
    dBodySetAngularVel(body, from->angular.x, from->angular.y, from->angular.z);
    dBodySetAutoDisableFlag(body, 0);
    return body;
}

static dJointID make_hinge(Engine* engine, int index)
{
    const WorldBody* body = &engine->world->body[index];
    dJointID hinge = dJointCreateHinge(engine->id, 0);
    dJointAttach(hinge, engine->body[index],
                 body->parent >= 0 ? engine->body[body->parent] : (dBodyID)0);
    dJointSetHingeAnchor(hinge, body->anchor.x, body->anchor.y, body->anchor.z);
    dJointSetHingeAxis(hinge, body->axis.x, body->axis.y, body->axis.z);
    return hinge;
}

static dGeomID make_shape(Engine* engine, const WorldGeom* from)
{
    const utVec3 size = from->shape.size;
    switch (from->shape.kind) {
    case UT_SHAPE_SPHERE:
        return dCreateSphere(engine->space, size.x);
    case UT_SHAPE_CAPSULE:
        return dCreateCapsule(engine->space, size.x, 2.0 * size.y);
    case UT_SHAPE_BOX:
        return dCreateBox(engine->space, 2.0 * size.x, 2.0 * size.y, 2.0 * size.z);
    default: {
        const utVec3 n = ut_quat_rotate(from->quat, ut_vec3(0.0, 0.0, 1.0));
        return dCreatePlane(engine->space, n.x, n.y, n.z, ut_vec3_dot(n, from->pos));
    }
    }
}

static void make_geom(Engine* engine, int index)
{
    const WorldGeom* from = &engine->world->geom[index];
    dGeomID geom = make_shape(engine, from);
    dQuaternion q;
    to_quaternion(from->quat, q);
    dGeomSetData(geom, (void*)(intptr_t)index);
    if (from->body >= 0) {
        dGeomSetBody(geom, engine->body[from->body]);
        dGeomSetOffsetPosition(geom, from->pos.x, from->pos.y, from->pos.z);
        dGeomSetOffsetQuaternion(geom, q);
    } else if (from->shape.kind != UT_SHAPE_PLANE) {
        dGeomSetPosition(geom, from->pos.x, from->pos.y, from->pos.z);
        dGeomSetQuaternion(geom, q);
    }
}

static void* create(const World* world, int variant, char* why)
{
    (void)why;
    Engine* engine = calloc(1, sizeof *engine);
    if (engine == NULL) {
        return NULL;
    }
    dInitODE2(0);
    dAllocateODEDataForThread(dAllocateMaskAll);
    engine->world = world;
    engine->quick = variant == ODE_QUICK20;
    engine->id = dWorldCreate();
    engine->space = dHashSpaceCreate(0);
    engine->contacts = dJointGroupCreate(0);
    engine->body = calloc((size_t)world->bodies, sizeof *engine->body);
    engine->hinge = calloc((size_t)world->bodies, sizeof(dJointID));
    if (engine->body == NULL || engine->hinge == NULL) {
        return NULL;
    }
    dWorldSetGravity(engine->id, world->gravity.x, world->gravity.y, world->gravity.z);
    dWorldSetQuickStepNumIterations(engine->id, 20);
    for (int i = 0; i < world->bodies; i++) {
        engine->body[i] = make_body(engine, &world->body[i]);
        if (world->body[i].hinged) {
            engine->hinge[i] = make_hinge(engine, i);
        }
    }
    for (int i = 0; i < world->geoms; i++) {
        make_geom(engine, i);
    }
    return engine;
}

// ---- stepping -----------------------------------------------------------------------------------

static void touch(void* context, dGeomID a, dGeomID b)
{
    Engine* engine = context;
    const int i = (int)(intptr_t)dGeomGetData(a), j = (int)(intptr_t)dGeomGetData(b);
    if (!world_collides(engine->world, i, j)) {
        return;
    }
    dContact contact[CONTACTS_PER_PAIR];
    const int count = dCollide(a, b, CONTACTS_PER_PAIR, &contact[0].geom, sizeof(dContact));
    for (int k = 0; k < count; k++) {
        memset(&contact[k].surface, 0, sizeof contact[k].surface);
        contact[k].surface.mode = dContactApprox1;
        contact[k].surface.mu = world_mu(engine->world, i, j);
        dJointID joint = dJointCreateContact(engine->id, engine->contacts, &contact[k]);
        dJointAttach(joint, dGeomGetBody(a), dGeomGetBody(b));
    }
}

static void act(Engine* engine)
{
    for (int i = 0; i < engine->world->bodies; i++) {
        const WorldBody* body = &engine->world->body[i];
        if (body->servo) {
            const double angle = dJointGetHingeAngle(engine->hinge[i]);
            const double rate = dJointGetHingeAngleRate(engine->hinge[i]);
            dJointAddHingeTorque(engine->hinge[i],
                                 body->kp * (body->target - angle) - body->kd * rate);
        }
        dBodyAddForce(engine->body[i], body->push.x, body->push.y, body->push.z);
    }
}

static bool step(void* context)
{
    Engine* engine = context;
    dSpaceCollide(engine->space, engine, touch);
    act(engine);
    const int done = engine->quick ? dWorldQuickStep(engine->id, engine->world->dt)
                                   : dWorldStep(engine->id, engine->world->dt);
    dJointGroupEmpty(engine->contacts);
    return done != 0;
}

static void read_states(void* context, BodyState* states)
{
    Engine* engine = context;
    for (int i = 0; i < engine->world->bodies; i++) {
        const dReal* p = dBodyGetPosition(engine->body[i]);
        const dReal* q = dBodyGetQuaternion(engine->body[i]);
        const dReal* v = dBodyGetLinearVel(engine->body[i]);
        const dReal* w = dBodyGetAngularVel(engine->body[i]);
        states[i] = (BodyState){ut_vec3(p[0], p[1], p[2]), ut_quat(q[0], q[1], q[2], q[3]),
                                ut_vec3(v[0], v[1], v[2]), ut_vec3(w[0], w[1], w[2])};
    }
}

static void destroy(void* context)
{
    Engine* engine = context;
    dJointGroupDestroy(engine->contacts);
    dSpaceDestroy(engine->space);
    dWorldDestroy(engine->id);
    dCloseODE();
    free(engine->body);
    free((void*)engine->hinge);
    free(engine);
}

const Driver* driver_ode(void)
{
    static const Driver driver = {"ODE", "libode-dev", create, step, read_states, NULL, destroy};
    return &driver;
}

#else

const Driver* driver_ode(void)
{
    return NULL;
}

#endif
