// SPDX-License-Identifier: Apache-2.0
// Compiled models: load, change, write as MJCF, sizes.
#include "core.h"

#include <stdlib.h>
#include <string.h>
#include <uptack/dyn.h>

PyTypeObject* core_compiled_type;

// ---- creation -----------------------------------------------------------------------------------

// Compile, and convert to maximal coordinates when the options ask for them, as ut_load does.
static utStatus compile(const utModelDef* def, utModel** model, utError* err)
{
    utModel* compiled = NULL;
    UT_TRY(ut_model_compile(def, NULL, &compiled, err));
    if (compiled->options.coordinates == UT_COORDINATES_MAXIMAL) {
        utModel* maximal = NULL;
        const utStatus status = ut_model_maximal(compiled, NULL, &maximal, err);
        ut_model_destroy(compiled);
        UT_TRY(status);
        compiled = maximal;
    }
    *model = compiled;
    return UT_OK;
}

static PyObject* raise_named(utStatus status, utError* err, const char* name)
{
    if (err->file[0] == '\0') {
        const utError bare = *err;
        ut_error_at(err, status, name, bare.line, bare.column, "%s",
                    bare.message[0] != '\0' ? bare.message : ut_status_text(status));
    }
    return core_raise(status, err);
}

// A compiled model from a description, which it then owns. @param notes, changes lists
static PyObject* create(utModelDef* def, PyObject* notes, PyObject* changes, const char* name)
{
    utModel* model = NULL;
    utError err = {0};
    utStatus status;
    Py_BEGIN_ALLOW_THREADS;
    status = compile(def, &model, &err);
    Py_END_ALLOW_THREADS;
    Compiled* self = status == UT_OK ? (Compiled*)PyType_GenericAlloc(core_compiled_type, 0) : NULL;
    if (self == NULL) {
        ut_model_destroy(model);
        ut_model_def_destroy(def);
        return status == UT_OK ? NULL : raise_named(status, &err, name);
    }
    self->def = def;
    self->model = model;
    self->notes = Py_NewRef(notes);
    self->changes = Py_NewRef(changes);
    self->name = PyUnicode_DecodeFSDefault(name);
    if (self->name == NULL) {
        Py_DECREF(self);
        return NULL;
    }
    return (PyObject*)self;
}

static void compiled_free(PyObject* object)
{
    Compiled* self = (Compiled*)object;
    PyTypeObject* type = Py_TYPE(object);
    ut_model_destroy(self->model);
    ut_model_def_destroy(self->def);
    Py_XDECREF(self->notes);
    Py_XDECREF(self->changes);
    Py_XDECREF(self->name);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(object);
    Py_DECREF(type);
}

static PyObject* list_notes(const utNotes* notes)
{
    PyObject* list = PyList_New(0);
    for (int i = 0; list != NULL && i < notes->count; i++) {
        const utNote* n = &notes->note[i];
        PyObject* note =
            Py_BuildValue("(ssOOisii)", n->what, n->why, n->physics ? Py_True : Py_False,
                          n->missing ? Py_True : Py_False, n->count, n->file != NULL ? n->file : "",
                          n->line, n->column);
        if (note == NULL || PyList_Append(list, note) != 0) {
            Py_CLEAR(list);
        }
        Py_XDECREF(note);
    }
    return list;
}

// ---- loading ------------------------------------------------------------------------------------

// Texts of a list of str. They belong to the list's items.
static const char** texts_of(PyObject* list, int* count)
{
    const Py_ssize_t n = PySequence_Size(list);
    const char** text = n >= 0 ? calloc((size_t)n + 1, sizeof *text) : NULL;
    for (Py_ssize_t i = 0; text != NULL && i < n; i++) {
        PyObject* item = PyList_GetItem(list, i); // borrowed
        text[i] = item != NULL ? PyUnicode_AsUTF8AndSize(item, NULL) : NULL;
        if (text[i] == NULL) {
            free(text);
            return NULL;
        }
    }
    *count = (int)n;
    return text;
}

static PyObject* describe_and_compile(const char* path, const utLoadDef* def, PyObject* changes)
{
    utModelDef* description = NULL;
    utNotes notes = {0};
    utError err = {0};
    utStatus status;
    Py_BEGIN_ALLOW_THREADS;
    status = ut_model_def_create(NULL, &description);
    if (status == UT_OK) {
        status = ut_describe(path, def, description, &notes, &err);
    }
    Py_END_ALLOW_THREADS;
    if (status != UT_OK) {
        ut_model_def_destroy(description);
        return raise_named(status, &err, path);
    }
    PyObject* list = list_notes(&notes);
    ut_notes_destroy(&notes);
    if (list == NULL) {
        ut_model_def_destroy(description);
        return NULL;
    }
    PyObject* compiled = create(description, list, changes, path);
    Py_DECREF(list);
    return compiled;
}

// load(path, text, changes, packages, strict, floating, friction, self_collision)
static PyObject* load(PyObject* Py_UNUSED(module), PyObject* args)
{
    const char* path;
    const char* text;
    Py_ssize_t size;
    PyObject *changes, *packages;
    int strict, floating, friction, self_collision;
    if (!PyArg_ParseTuple(args, "sz#O!O!pppp", &path, &text, &size, &PyList_Type, &changes,
                          &PyList_Type, &packages, &strict, &floating, &friction,
                          &self_collision)) {
        return NULL;
    }
    utLoadDef def = ut_load_def();
    const char** set = texts_of(changes, &def.set_count);
    const char** package = set != NULL ? texts_of(packages, &def.packages) : NULL;
    PyObject* compiled = NULL;
    if (package != NULL) {
        def.text = text;
        def.size = text != NULL ? (size_t)size : 0;
        def.set = set;
        def.package = package;
        def.strict = strict != 0;
        def.floating = floating != 0;
        def.friction = friction != 0;
        def.self_collision = self_collision != 0;
        compiled = describe_and_compile(path, &def, changes);
    } else if (PyErr_Occurred() == NULL) {
        PyErr_NoMemory();
    }
    free(package);
    free(set);
    return compiled;
}

// ---- changing -----------------------------------------------------------------------------------

// changed(path, value) -> Compiled: the same model with one attribute changed
static PyObject* changed(PyObject* object, PyObject* args)
{
    Compiled* self = (Compiled*)object;
    const char *path, *value;
    if (!PyArg_ParseTuple(args, "ss", &path, &value)) {
        return NULL;
    }
    const char* name = PyUnicode_AsUTF8AndSize(self->name, NULL);
    utModelDef* def = NULL;
    utError err = {0};
    utStatus status = name != NULL ? ut_model_def_copy(self->def, NULL, &def) : UT_ERR_MEMORY;
    if (status == UT_OK) {
        status = ut_model_def_set(def, path, value, &err);
    }
    if (status != UT_OK) {
        ut_model_def_destroy(def);
        return name != NULL ? raise_named(status, &err, name) : NULL;
    }
    PyObject* one = Py_BuildValue("[N]", PyUnicode_FromFormat("%s=%s", path, value));
    PyObject* changes = one != NULL ? PySequence_Concat(self->changes, one) : NULL;
    Py_XDECREF(one);
    if (changes == NULL) {
        ut_model_def_destroy(def);
        return NULL;
    }
    PyObject* compiled = create(def, self->notes, changes, name);
    Py_DECREF(changes);
    return compiled;
}

// ---- writing ------------------------------------------------------------------------------------

// mjcf(plain, folder) -> (text, notes)
static PyObject* write_mjcf(PyObject* object, PyObject* args)
{
    Compiled* self = (Compiled*)object;
    int plain;
    const char* folder;
    utArena keep;
    if (!PyArg_ParseTuple(args, "pz", &plain, &folder) || !core_arena(&keep)) {
        return NULL;
    }
    utMjcfWriteDef how = ut_mjcf_write_def();
    how.plain = plain != 0;
    how.folder = folder;
    utText text;
    utNotes notes = {0};
    utError err = {0};
    const utStatus status = ut_mjcf_write(self->def, &how, &keep, &text, &notes, &err);
    PyObject* result = NULL;
    if (status == UT_OK) {
        PyObject* list = list_notes(&notes);
        PyObject* written = core_text(text);
        result = list != NULL && written != NULL ? PyTuple_Pack(2, written, list) : NULL;
        Py_XDECREF(list);
        Py_XDECREF(written);
        ut_notes_destroy(&notes);
    } else {
        core_raise(status, &err);
    }
    ut_arena_destroy(&keep);
    return result;
}

// ---- reading ------------------------------------------------------------------------------------

static PyObject* sizes(PyObject* object, void* Py_UNUSED(closure))
{
    const utModel* m = ((Compiled*)object)->model;
    const struct {
        const char* name;
        int value;
    } size[] = {{"nq", m->nq},
                {"nv", m->nv},
                {"nu", m->nu},
                {"na", m->na},
                {"nbody", m->nbody},
                {"njoint", m->njoint},
                {"ngeom", m->ngeom},
                {"nsite", m->nsite},
                {"nspring", m->nspring},
                {"ntendon", m->ntendon},
                {"nactuator", m->nactuator},
                {"nequality", m->nequality},
                {"npair", m->npair},
                {"nkeyframe", m->nkeyframe},
                {"nsensor", m->nsensor},
                {"nsensordata", m->nsensordata},
                {"nmocap", m->nmocap},
                {"ntree", m->ntree}};
    PyObject* dict = PyDict_New();
    for (size_t i = 0; dict != NULL && i < sizeof size / sizeof *size; i++) {
        if (!core_put_int(dict, size[i].name, size[i].value)) {
            Py_CLEAR(dict);
        }
    }
    return dict;
}

static PyObject* get_name(PyObject* object, void* Py_UNUSED(closure))
{
    return PyUnicode_FromString(((Compiled*)object)->model->name);
}

static PyObject* get_source(PyObject* object, void* Py_UNUSED(closure))
{
    return Py_NewRef(((Compiled*)object)->name);
}

static PyObject* get_notes(PyObject* object, void* Py_UNUSED(closure))
{
    return Py_NewRef(((Compiled*)object)->notes);
}

static PyObject* get_changes(PyObject* object, void* Py_UNUSED(closure))
{
    return PySequence_List(((Compiled*)object)->changes);
}

static PyObject* get_mass(PyObject* object, void* Py_UNUSED(closure))
{
    return PyFloat_FromDouble(((Compiled*)object)->model->mass);
}

static PyObject* get_hash(PyObject* object, void* Py_UNUSED(closure))
{
    return PyLong_FromUnsignedLongLong(((Compiled*)object)->model->hash);
}

static PyObject* get_start_key(PyObject* object, void* Py_UNUSED(closure))
{
    return PyLong_FromLong(ut_model_start_key(((Compiled*)object)->model));
}

// physics of the file that the model lacks: (what, count, file, line, column) each
static PyObject* get_missing(PyObject* object, void* Py_UNUSED(closure))
{
    const utModel* m = ((Compiled*)object)->model;
    PyObject* list = PyList_New(0);
    for (int i = 0; list != NULL && i < m->missing_parts; i++) {
        const utMissing* p = &m->missing_part[i];
        PyObject* part = Py_BuildValue("(sisii)", p->what, p->count, p->file != NULL ? p->file : "",
                                       p->line, p->column);
        if (part == NULL || PyList_Append(list, part) != 0) {
            Py_CLEAR(list);
        }
        Py_XDECREF(part);
    }
    return list;
}

static PyObject* get_options(PyObject* object, void* Py_UNUSED(closure))
{
    const utOptions* o = &((Compiled*)object)->model->options;
    PyObject* d = PyDict_New();
    const bool done =
        d != NULL && core_put_double(d, "dt", o->dt) &&
        core_put(d, "gravity", core_vec3(o->gravity)) &&
        core_put_text(d, "integrator", ut_integrator_name(o->integrator)) &&
        core_put_double(d, "time", o->time) && core_put_double(d, "tolerance", o->tolerance) &&
        core_put_text(d, "coordinates", ut_coordinates_name(o->coordinates)) &&
        core_put_text(d, "planar", ut_planar_name(o->planar)) &&
        core_put_text(d, "formulation", ut_formulation_name((utFormulation)o->formulation)) &&
        core_put_text(d, "solver", o->solver) && core_put_int(d, "directions", o->directions) &&
        core_put_text(d, "detection", ut_detection_name(o->detection));
    if (!done) {
        Py_CLEAR(d);
    }
    return d;
}

// ---- functions of positions and velocities -------------------------------------------------------

// map(what, from, to, q, h): integrate (q, v, h -> q), difference (q, q -> v), normalize (q)
static PyObject* map_state(PyObject* object, PyObject* args)
{
    const utModel* m = ((Compiled*)object)->model;
    const char* what;
    double h;
    Array a = {0}, b = {0}, out = {0};
    if (!PyArg_ParseTuple(args, "sO&O&dO&", &what, core_array, &a, core_array, &b, &h,
                          core_array_writable, &out)) {
        return NULL;
    }
    const size_t nq = (size_t)m->nq, nv = (size_t)m->nv;
    const bool integrates = strcmp(what, "integrate") == 0;
    const bool normalizes = strcmp(what, "normalize") == 0;
    PyObject* result = NULL;
    if (core_array_has(&a, "q", nq, sizeof(double), false) &&
        core_array_has(&b, integrates ? "v" : "q", integrates ? nv : nq, sizeof(double),
                       normalizes) &&
        core_array_has(&out, "the result", integrates || normalizes ? nq : nv, sizeof(double),
                       false)) {
        int at = -1;
        result = Py_None;
        if (integrates) {
            ut_model_integrate(m, a.data, b.data, h, out.view.buf);
        } else if (normalizes) {
            memcpy(out.view.buf, a.data, nq * sizeof(double));
            if (!ut_model_normalize(m, out.view.buf, &at)) {
                result =
                    core_refuse("q[%d] is not finite, or belongs to a quaternion of length 0", at);
            }
        } else {
            ut_model_difference(m, a.data, b.data, out.view.buf);
        }
        Py_XINCREF(result);
    }
    core_array_close(&a);
    core_array_close(&b);
    core_array_close(&out);
    return result;
}

// contact_law(geom1, geom2) -> dict: how two geoms touch
static PyObject* pair_law(PyObject* object, PyObject* args)
{
    const utModel* m = ((Compiled*)object)->model;
    int a, b;
    if (!PyArg_ParseTuple(args, "ii", &a, &b)) {
        return NULL;
    }
    if (a < 0 || b < 0 || a >= m->ngeom || b >= m->ngeom || a == b) {
        return core_refuse("geoms are 0 to %d, and two different ones are needed", m->ngeom - 1);
    }
    PyObject* d = PyDict_New();
    const bool done = d != NULL && core_put_bool(d, "collides", ut_model_collides(m, a, b)) &&
                      core_put_int(d, "condim", ut_model_condim(m, a, b)) &&
                      core_put_double(d, "friction", ut_model_friction(m, a, b)) &&
                      core_put_double(d, "kinetic", ut_model_kinetic(m, a, b)) &&
                      core_put_double(d, "torsional", ut_model_torsional(m, a, b)) &&
                      core_put_double(d, "rolling", ut_model_rolling(m, a, b)) &&
                      core_put_double(d, "restitution", ut_model_restitution(m, a, b)) &&
                      core_put_double(d, "length", ut_model_contact_length(m, a, b)) &&
                      core_put_double(d, "margin", ut_model_margin(m, a, b)) &&
                      core_put_bool(d, "explicit", ut_model_find_pair(m, a, b) != NULL);
    if (!done) {
        Py_CLEAR(d);
    }
    return d;
}

// side(number) -> (name, body): the label of a side of a contact
static PyObject* side(PyObject* object, PyObject* args)
{
    const utModel* m = ((Compiled*)object)->model;
    int i;
    if (!PyArg_ParseTuple(args, "i", &i)) {
        return NULL;
    }
    if (i < 0 || i >= m->ngeom + m->nsite) {
        return core_refuse("sides are 0 to %d", m->ngeom + m->nsite - 1);
    }
    const utSideLabel label = ut_model_side_label(m, i);
    PyObject* name = PyUnicode_FromFormat("%s%s", label.name, label.ending);
    PyObject* result = name != NULL ? Py_BuildValue("(Oi)", name, ut_model_side_body(m, i)) : NULL;
    Py_XDECREF(name);
    return result;
}

// find(kind, name) -> index or -1
static PyObject* find(PyObject* object, PyObject* args)
{
    const utModel* m = ((Compiled*)object)->model;
    const char *kind, *name;
    if (!PyArg_ParseTuple(args, "ss", &kind, &name)) {
        return NULL;
    }
    const struct {
        const char* kind;
        int (*find)(const utModel*, const char*);
    } table[] = {{"body", ut_model_find_body},         {"joint", ut_model_find_joint},
                 {"geom", ut_model_find_geom},         {"site", ut_model_find_site},
                 {"tendon", ut_model_find_tendon},     {"actuator", ut_model_find_actuator},
                 {"equality", ut_model_find_equality}, {"keyframe", ut_model_find_keyframe},
                 {"sensor", ut_model_find_sensor}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        if (strcmp(kind, table[i].kind) == 0) {
            return PyLong_FromLong(table[i].find(m, name));
        }
    }
    return core_refuse("there are no elements of kind '%s'", kind);
}

// ---- the type -----------------------------------------------------------------------------------

static PyMethodDef compiled_methods[] = {
    {"changed", changed, METH_VARARGS,
     "changed(path, value): the model with one attribute changed"},
    {"mjcf", write_mjcf, METH_VARARGS, "mjcf(plain, folder) -> (text, notes)"},
    {"map", map_state, METH_VARARGS, "map(what, a, b, h, out): functions of positions"},
    {"pair_law", pair_law, METH_VARARGS, "pair_law(geom1, geom2) -> dict"},
    {"side", side, METH_VARARGS, "side(number) -> (name, body)"},
    {"find", find, METH_VARARGS, "find(kind, name) -> index, -1 for none"},
    {NULL, NULL, 0, NULL},
};
static PyGetSetDef compiled_getset[] = {
    {"sizes", sizes, NULL, "numbers of elements", NULL},
    {"name", get_name, NULL, "name of the model", NULL},
    {"source", get_source, NULL, "file or scene it came from", NULL},
    {"notes", get_notes, NULL, "parts of the file that are not supported", NULL},
    {"changes", get_changes, NULL, "attributes changed before compiling", NULL},
    {"mass", get_mass, NULL, "of all moving bodies, kg", NULL},
    {"hash", get_hash, NULL, "of the contents", NULL},
    {"start_key", get_start_key, NULL, "keyframe of a run's start, -1 for none", NULL},
    {"missing", get_missing, NULL, "physics of the file that the model lacks", NULL},
    {"options", get_options, NULL, "settings of the model as a whole", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};
static PyType_Slot compiled_slots[] = {
    {Py_tp_dealloc, (void*)compiled_free},
    {Py_tp_methods, compiled_methods},
    {Py_tp_getset, compiled_getset},
    {Py_tp_doc, (void*)"A compiled model with its description; it never changes."},
    {0, NULL},
};
static PyType_Spec compiled_spec = {
    .name = "uptack._core.Compiled",
    .basicsize = sizeof(Compiled),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .slots = compiled_slots,
};
static PyMethodDef load_method[] = {
    {"load", load, METH_VARARGS,
     "load(path, text, changes, packages, strict, floating, friction, self_collision) -> Compiled"},
    {NULL, NULL, 0, NULL},
};

int core_add_compiled(PyObject* module)
{
    core_compiled_type = (PyTypeObject*)PyType_FromSpec(&compiled_spec);
    if (core_compiled_type == NULL || PyModule_AddType(module, core_compiled_type) != 0) {
        return -1;
    }
    return PyModule_AddFunctions(module, load_method);
}
