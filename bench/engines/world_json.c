// SPDX-License-Identifier: Apache-2.0
// A scene and a job as JSON, for the drivers that are no C (node/peers.mjs).
#include <stdio.h>
#include <uptack/json.h>

#include "bench_engines.h"
#include "node.h"

static bool to_file(void* context, const char* text, size_t size)
{
    return fwrite(text, 1, size, (FILE*)context) == size;
}

static void number(utJsonWriter* w, const char* key, double value)
{
    ut_json_key(w, key);
    ut_json_number(w, value);
}

static void integer(utJsonWriter* w, const char* key, int value)
{
    ut_json_key(w, key);
    ut_json_integer(w, value);
}

static void truth(utJsonWriter* w, const char* key, bool value)
{
    ut_json_key(w, key);
    ut_json_bool(w, value);
}

static void vector(utJsonWriter* w, const char* key, utVec3 a)
{
    const double values[] = {a.x, a.y, a.z};
    ut_json_key(w, key);
    ut_json_doubles(w, values, 3);
}

static void quaternion(utJsonWriter* w, const char* key, utQuat q)
{
    const double values[] = {q.w, q.x, q.y, q.z};
    ut_json_key(w, key);
    ut_json_doubles(w, values, 4);
}

static void add_body(utJsonWriter* w, const WorldBody* body)
{
    ut_json_object_begin(w);
    number(w, "mass", body->mass);
    vector(w, "inertia", body->inertia);
    vector(w, "pos", body->pos);
    quaternion(w, "quat", body->quat);
    vector(w, "velocity", body->velocity);
    vector(w, "angular", body->angular);
    vector(w, "push", body->push);
    truth(w, "hinged", body->hinged);
    integer(w, "parent", body->parent);
    vector(w, "anchor", body->anchor);
    vector(w, "axis", body->axis);
    truth(w, "servo", body->servo);
    number(w, "kp", body->kp);
    number(w, "kd", body->kd);
    number(w, "target", body->target);
    ut_json_object_end(w);
}

static void add_geom(utJsonWriter* w, const WorldGeom* geom)
{
    static const char* const kinds[UT_SHAPE_KIND_COUNT] = {"plane", "sphere", "capsule", "box"};
    const char* kind = kinds[geom->shape.kind];
    ut_json_object_begin(w);
    integer(w, "body", geom->body);
    ut_json_key(w, "kind");
    ut_json_string(w, kind != NULL ? kind : "unknown");
    vector(w, "size", geom->shape.size);
    vector(w, "pos", geom->pos);
    quaternion(w, "quat", geom->quat);
    number(w, "mu", geom->mu);
    integer(w, "contype", geom->contype);
    integer(w, "conaffinity", geom->conaffinity);
    ut_json_object_end(w);
}

static void add_world(utJsonWriter* w, const World* world)
{
    ut_json_object_begin(w);
    number(w, "dt", world->dt);
    vector(w, "gravity", world->gravity);
    ut_json_key(w, "bodies");
    ut_json_array_begin(w);
    for (int i = 0; i < world->bodies; i++) {
        add_body(w, &world->body[i]);
    }
    ut_json_array_end(w);
    ut_json_key(w, "geoms");
    ut_json_array_begin(w);
    for (int i = 0; i < world->geoms; i++) {
        add_geom(w, &world->geom[i]);
    }
    ut_json_array_end(w);
    ut_json_object_end(w);
}

bool job_write(const Job* job, const World* world, const char* path)
{
    FILE* file = fopen(path, "w");
    if (file == NULL) {
        return false;
    }
    utJsonWriter w = ut_json_writer(to_file, file);
    ut_json_object_begin(&w);
    ut_json_key(&w, "engine");
    ut_json_string(&w, job->engine);
    ut_json_key(&w, "setting");
    ut_json_string(&w, job->setting);
    integer(&w, "steps", job->steps);
    integer(&w, "stride", job->stride);
    integer(&w, "pair_every", job->pair_every);
    integer(&w, "repeats", job->repeats);
    number(&w, "budget", job->budget);
    number(&w, "warm_up", job->warm_up);
    ut_json_key(&w, "world");
    add_world(&w, world);
    ut_json_object_end(&w);
    const bool written = ut_json_ok(&w);
    return fclose(file) == 0 && written;
}
