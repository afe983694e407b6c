// SPDX-License-Identifier: Apache-2.0
// MuJoCo (Debian: libmujoco-dev, 2.2.2): generalized coordinates, soft contact by a convex problem.
// The scene goes in as MJCF text.
#include "engines.h"

#ifdef UPTACK_HAVE_MUJOCO

#include <mujoco/mujoco.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Engine {
    const World* world;
    mjModel* model;
    mjData* data;
    int* body; // MuJoCo's number of each of ours
} Engine;

// ---- MJCF ---------------------------------------------------------------------------------------

// Its XML reader takes no more than a hundred levels in a file: deeper trees go on in the next one.
enum { FILES_MAX = 32, LEVELS = 60 };

typedef struct Text {
    char* data;
    size_t length, room;
    bool short_of_memory;
} Text;

typedef struct Files {
    Text text[FILES_MAX];
    int count;
} Files;

static const char* file_name(int index, char name[32])
{
    snprintf(name, 32, "scene%d.xml", index);
    return name;
}

static void add(Text* text, const char* format, ...) UT_PRINTF(2, 3);

static void add(Text* text, const char* format, ...)
{
    char line[512];
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    if (text->length + (size_t)length + 1 > text->room) {
        const size_t room = 2 * text->room + sizeof line;
        char* data = realloc(text->data, room);
        if (data == NULL) {
            text->short_of_memory = true;
            return;
        }
        text->data = data;
        text->room = room;
    }
    memcpy(text->data + text->length, line, (size_t)length + 1);
    text->length += (size_t)length;
}

static void add_geoms(Text* text, const World* world, int body)
{
    static const char* const type[UT_SHAPE_KIND_COUNT] = {"plane", "sphere", "capsule", "box"};
    for (int i = 0; i < world->geoms; i++) {
        const WorldGeom* g = &world->geom[i];
        if (g->body != body) {
            continue;
        }
        const bool plane = g->shape.kind == UT_SHAPE_PLANE;
        const utVec3 size = plane ? ut_vec3(10.0, 10.0, 1.0) : g->shape.size;
        add(text,
            "<geom type=\"%s\" size=\"%.17g %.17g %.17g\" pos=\"%.17g %.17g %.17g\" "
            "quat=\"%.17g %.17g %.17g %.17g\" friction=\"%.17g 0 0\" contype=\"%d\" "
            "conaffinity=\"%d\" condim=\"%d\"/>\n",
            type[g->shape.kind], size.x, size.y, size.z, g->pos.x, g->pos.y, g->pos.z, g->quat.w,
            g->quat.x, g->quat.y, g->quat.z, g->mu, g->contype, g->conaffinity,
            g->mu > 0.0 ? 3 : 1);
    }
}

static void add_body(Files* files, int file, int level, const World* world, int index);

// All that hangs on a body.
static void add_children(Files* files, int file, int level, const World* world, int index)
{
    for (int i = index + 1; i < world->bodies; i++) {
        if (!world->body[i].hinged || world->body[i].parent != index) {
            continue;
        }
        if (level < LEVELS || files->count == FILES_MAX) {
            add_body(files, file, level + 1, world, i);
            continue;
        }
        char name[32];
        const int next = files->count++;
        add(&files->text[file], "<include file=\"%s\"/>\n", file_name(next, name));
        add(&files->text[next], "<mujocoinclude>\n");
        add_body(files, next, 0, world, i);
        add(&files->text[next], "</mujocoinclude>\n");
    }
}

// A body in its parent's frame, as it stands at the start, and its children.
static void add_body(Files* files, int file, int level, const World* world, int index)
{
    Text* text = &files->text[file];
    const WorldBody* b = &world->body[index];
    utVec3 pos = b->pos;
    utQuat quat = b->quat;
    if (b->parent >= 0) {
        const WorldBody* p = &world->body[b->parent];
        pos = world_local_point(p->pos, p->quat, pos);
        quat = ut_quat_mul(ut_quat_conjugate(p->quat), quat);
    }
    add(text, "<body name=\"b%d\" pos=\"%.17g %.17g %.17g\" quat=\"%.17g %.17g %.17g %.17g\">\n",
        index, pos.x, pos.y, pos.z, quat.w, quat.x, quat.y, quat.z);
    add(text, "<inertial pos=\"0 0 0\" mass=\"%.17g\" diaginertia=\"%.17g %.17g %.17g\"/>\n",
        b->mass, b->inertia.x, b->inertia.y, b->inertia.z);
    if (b->hinged) {
        const utVec3 at = world_local_point(b->pos, b->quat, b->anchor);
        const utVec3 axis = world_local_axis(b->quat, b->axis);
        add(text,
            "<joint name=\"j%d\" type=\"hinge\" pos=\"%.17g %.17g %.17g\" axis=\"%.17g %.17g "
            "%.17g\" damping=\"%.17g\"/>\n",
            index, at.x, at.y, at.z, axis.x, axis.y, axis.z, b->servo ? b->kd : 0.0);
    } else {
        add(text, "<freejoint/>\n");
    }
    add_geoms(text, world, index);
    add_children(files, file, level, world, index);
    add(text, "</body>\n");
}

static void add_servos(Text* text, const World* world)
{
    add(text, "<actuator>\n");
    for (int i = 0; i < world->bodies; i++) {
        if (world->body[i].servo) {
            add(text, "<position joint=\"j%d\" kp=\"%.17g\"/>\n", i, world->body[i].kp);
        }
    }
    add(text, "</actuator>\n");
}

// It wants to know beforehand, and its memory is counted in an int: balls in a heap have fewer than
// six neighbours each, so at most three contacts; a box may lie on two others.
static int contacts_expected(const World* world)
{
    int contacts = 50;
    for (int i = 0; i < world->geoms; i++) {
        contacts += world->geom[i].shape.kind == UT_SHAPE_BOX ? 10 : 3;
    }
    return contacts;
}

static void mjcf(const World* world, int variant, Files* files)
{
    Text* text = &files->text[0];
    files->count = 1;
    const utVec3 g = world->gravity;
    add(text, "<mujoco>\n<compiler autolimits=\"false\"/>\n");
    add(text,
        "<option timestep=\"%.17g\" gravity=\"%.17g %.17g %.17g\" solver=\"%s\" cone=\"%s\" "
        "integrator=\"%s\"/>\n",
        world->dt, g.x, g.y, g.z, variant == MUJOCO_CG ? "CG" : "Newton",
        variant == MUJOCO_PYRAMIDAL ? "pyramidal" : "elliptic",
        variant == MUJOCO_RK4 ? "RK4" : "Euler");
    const int contacts = contacts_expected(world);
    const int rows = (variant == MUJOCO_PYRAMIDAL ? 4 : 3) * contacts;
    add(text, "<size nconmax=\"%d\" njmax=\"%d\" nstack=\"%d\"/>\n", contacts, rows,
        1000000 + 20000 * contacts);
    add(text, "<worldbody>\n");
    add_geoms(text, world, -1);
    for (int i = 0; i < world->bodies; i++) {
        if (world->body[i].parent < 0) {
            add_body(files, 0, 0, world, i);
        }
    }
    add(text, "</worldbody>\n");
    add_servos(text, world);
    add(text, "</mujoco>\n");
}

// ---- building -----------------------------------------------------------------------------------

static mjModel* load(const Files* files, char* why)
{
    mjVFS* vfs = malloc(sizeof *vfs);
    if (vfs == NULL) {
        return NULL;
    }
    mj_defaultVFS(vfs);
    for (int i = 0; i < files->count; i++) {
        char name[32];
        const Text* text = &files->text[i];
        if (text->short_of_memory) {
            return NULL;
        }
        mj_makeEmptyFileVFS(vfs, file_name(i, name), (int)text->length + 1);
        memcpy(vfs->filedata[mj_findFileVFS(vfs, name)], text->data, text->length + 1);
    }
    mjModel* model = mj_loadXML("scene0.xml", vfs, why, ENGINE_TEXT);
    mj_deleteVFS(vfs);
    free(vfs);
    return model;
}

// Velocities of free bodies (angular ones in their own frame), targets and constant forces.
static void start(Engine* engine)
{
    const World* world = engine->world;
    int servo = 0;
    for (int i = 0; i < world->bodies; i++) {
        const WorldBody* b = &world->body[i];
        if (b->servo) {
            engine->data->ctrl[servo++] = b->target;
        }
        mjtNum* applied = engine->data->xfrc_applied + 6 * engine->body[i];
        applied[0] = b->push.x;
        applied[1] = b->push.y;
        applied[2] = b->push.z;
        if (!b->hinged) {
            mjtNum* v = engine->data->qvel + engine->model->body_dofadr[engine->body[i]];
            const utVec3 w = ut_quat_rotate_inverse(b->quat, b->angular);
            const mjtNum all[6] = {b->velocity.x, b->velocity.y, b->velocity.z, w.x, w.y, w.z};
            memcpy(v, all, sizeof all);
        }
    }
}

static void* create(const World* world, int variant, char* why)
{
    Engine* engine = calloc(1, sizeof *engine);
    if (engine == NULL) {
        return NULL;
    }
    Files files = {0};
    mjcf(world, variant, &files);
    engine->world = world;
    engine->model = load(&files, why);
    for (int i = 0; i < files.count; i++) {
        free(files.text[i].data);
    }
    engine->body = calloc((size_t)world->bodies, sizeof *engine->body);
    if (engine->model == NULL || engine->body == NULL) {
        return NULL;
    }
    engine->data = mj_makeData(engine->model);
    for (int i = 0; i < world->bodies; i++) {
        char name[16];
        snprintf(name, sizeof name, "b%d", i);
        engine->body[i] = mj_name2id(engine->model, mjOBJ_BODY, name);
    }
    start(engine);
    return engine;
}

// ---- stepping -----------------------------------------------------------------------------------

// It starts anew by itself after numbers that are not finite, and drops contacts when there is no
// room: both are the end of a comparison.
static bool step(void* context)
{
    Engine* engine = context;
    mj_step(engine->model, engine->data);
    const mjWarningStat* warning = engine->data->warning;
    return warning[mjWARN_BADQPOS].number == 0 && warning[mjWARN_BADQVEL].number == 0 &&
           warning[mjWARN_BADQACC].number == 0 && warning[mjWARN_CONTACTFULL].number == 0 &&
           warning[mjWARN_CNSTRFULL].number == 0;
}

static void read_states(void* context, BodyState* states)
{
    Engine* engine = context;
    mjData* d = engine->data;
    // a step leaves the places that it began with
    mj_kinematics(engine->model, d);
    mj_comPos(engine->model, d);
    mj_comVel(engine->model, d);
    for (int i = 0; i < engine->world->bodies; i++) {
        const int id = engine->body[i];
        const mjtNum* p = d->xpos + 3 * id;
        const mjtNum* q = d->xquat + 4 * id;
        mjtNum v[6];
        mj_objectVelocity(engine->model, d, mjOBJ_BODY, id, v, 0);
        states[i] = (BodyState){ut_vec3(p[0], p[1], p[2]), ut_quat(q[0], q[1], q[2], q[3]),
                                ut_vec3(v[3], v[4], v[5]), ut_vec3(v[0], v[1], v[2])};
    }
}

static void destroy(void* context)
{
    Engine* engine = context;
    mj_deleteData(engine->data);
    mj_deleteModel(engine->model);
    free(engine->body);
    free(engine);
}

const Driver* driver_mujoco(void)
{
    static const Driver driver = {"MuJoCo", "libmujoco-dev", create, step, read_states,
                                  NULL,     destroy};
    return &driver;
}

#else

const Driver* driver_mujoco(void)
{
    return NULL;
}

#endif
