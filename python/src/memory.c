// SPDX-License-Identifier: Apache-2.0
// Blocks of doubles that arrays share, and arrays that come as arguments.
#include "core.h"

#include <stdlib.h>
#include <string.h>

enum { ALIGNMENT = 64 };

PyTypeObject* core_block_type;

// ---- blocks -------------------------------------------------------------------------------------

Block* core_block_create(Py_ssize_t rows, Py_ssize_t columns)
{
    Block* block = (Block*)PyType_GenericAlloc(core_block_type, 0);
    if (block == NULL) {
        return NULL;
    }
    const Py_ssize_t count = columns > 0 ? rows * columns : rows;
    block->memory = calloc(1, (size_t)count * sizeof(double) + ALIGNMENT);
    if (block->memory == NULL) {
        Py_DECREF(block);
        PyErr_NoMemory();
        return NULL;
    }
    const uintptr_t start = (uintptr_t)block->memory;
    block->data = (double*)(start + (0 - start) % ALIGNMENT);
    block->count = count;
    block->shape[0] = rows;
    block->shape[1] = columns;
    block->stride[0] = (columns > 0 ? columns : 1) * (Py_ssize_t)sizeof(double);
    block->stride[1] = (Py_ssize_t)sizeof(double);
    return block;
}

static void block_free(PyObject* self)
{
    PyTypeObject* type = Py_TYPE(self);
    free(((Block*)self)->memory);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(self);
    Py_DECREF(type);
}

static int block_buffer(PyObject* self, Py_buffer* view, int flags)
{
    static char format[] = "d";
    Block* block = (Block*)self;
    *view = (Py_buffer){
        .buf = block->data,
        .obj = Py_NewRef(self),
        .len = block->count * (Py_ssize_t)sizeof(double),
        .itemsize = (Py_ssize_t)sizeof(double),
        .ndim = block->shape[1] > 0 ? 2 : 1,
        .format = (flags & PyBUF_FORMAT) != 0 ? format : NULL,
        .shape = (flags & PyBUF_ND) != 0 ? block->shape : NULL,
        .strides = (flags & PyBUF_STRIDES) == PyBUF_STRIDES ? block->stride : NULL,
    };
    return 0;
}

static PyType_Slot block_slots[] = {
    {Py_tp_dealloc, (void*)block_free},
    {Py_bf_getbuffer, (void*)block_buffer},
    {Py_tp_doc, (void*)"Numbers that arrays share; numpy.asarray shows them without a copy."},
    {0, NULL},
};
static PyType_Spec block_spec = {
    .name = "uptack._core.Block",
    .basicsize = sizeof(Block),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .slots = block_slots,
};

int core_add_block(PyObject* module)
{
    core_block_type = (PyTypeObject*)PyType_FromSpec(&block_spec);
    return core_block_type != NULL ? PyModule_AddType(module, core_block_type) : -1;
}

PyObject* core_block_array(Block* block)
{
    // The import is a look-up after the first one. asarray never copies what has the right format.
    PyObject* numpy = PyImport_ImportModule("numpy");
    PyObject* array =
        numpy != NULL ? PyObject_CallMethod(numpy, "asarray", "O", (PyObject*)block) : NULL;
    Py_XDECREF(numpy);
    return array;
}

// ---- numbers of a caller ------------------------------------------------------------------------

// Copy from a buffer of n doubles. @return false when the object is none, without an exception
static bool copy_buffer(PyObject* from, Py_ssize_t n, double* to)
{
    Py_buffer view;
    if (!PyObject_CheckBuffer(from)) {
        return false;
    }
    if (PyObject_GetBuffer(from, &view, PyBUF_C_CONTIGUOUS | PyBUF_FORMAT) != 0) {
        PyErr_Clear();
        return false;
    }
    const bool fits = view.format != NULL && strcmp(view.format, "d") == 0 &&
                      view.len == n * (Py_ssize_t)sizeof(double);
    if (fits && n > 0) {
        memmove(to, view.buf, (size_t)view.len);
    }
    PyBuffer_Release(&view);
    return fits;
}

static bool read_item(PyObject* item, const char* what, double* to)
{
    const double value = item != NULL ? PyFloat_AsDouble(item) : -1.0;
    Py_XDECREF(item);
    if (value == -1.0 && PyErr_Occurred() != NULL) {
        PyErr_Format(PyExc_TypeError, "%s must have numbers", what);
        return false;
    }
    *to = value;
    return true;
}

// All items of a sequence or none, by way of a copy, because an item may run any code of Python's.
static bool copy_sequence(PyObject* from, const char* what, Py_ssize_t n, double* to)
{
    const Py_ssize_t size = PySequence_Size(from);
    if (size != n) {
        if (!(size < 0 && PyErr_Occurred() != NULL)) {
            core_refuse("%s has %zd entries; %zd are needed", what, size, n);
        }
        return false;
    }
    double* copy = PyMem_Malloc((size_t)n * sizeof *copy + 1);
    bool done = copy != NULL;
    if (copy == NULL) {
        PyErr_NoMemory();
    }
    for (Py_ssize_t i = 0; done && i < n; i++) {
        done = read_item(PySequence_GetItem(from, i), what, copy + i);
    }
    if (done && n > 0) {
        memcpy(to, copy, (size_t)n * sizeof *copy);
    }
    PyMem_Free(copy);
    return done;
}

bool core_read_doubles(PyObject* from, const char* what, Py_ssize_t n, double* to)
{
    if (copy_buffer(from, n, to)) {
        return true;
    }
    if (PySequence_Check(from)) {
        return copy_sequence(from, what, n, to);
    }
    if (n == 1 && PyNumber_Check(from)) {
        return read_item(Py_NewRef(from), what, to);
    }
    PyErr_Format(PyExc_TypeError, "%s must be a sequence of %zd numbers", what, n);
    return false;
}

// ---- arrays as arguments ------------------------------------------------------------------------

static int open_array(PyObject* object, Array* array, int flags)
{
    if (object == NULL) { // the parser gives up after a later argument
        core_array_close(array);
        return 1;
    }
    *array = (Array){.open = false};
    if (object == Py_None) {
        return Py_CLEANUP_SUPPORTED;
    }
    if (PyObject_GetBuffer(object, &array->view, flags) != 0) {
        return 0;
    }
    array->open = true;
    array->data = array->view.buf;
    array->bytes = array->view.len;
    return Py_CLEANUP_SUPPORTED;
}

int core_array(PyObject* object, void* array)
{
    return open_array(object, array, PyBUF_C_CONTIGUOUS);
}

int core_array_writable(PyObject* object, void* array)
{
    return open_array(object, array, PyBUF_C_CONTIGUOUS | PyBUF_WRITABLE);
}

void core_array_close(Array* array)
{
    if (array->open) {
        PyBuffer_Release(&array->view);
        array->open = false;
    }
}

bool core_array_has(const Array* array, const char* what, size_t n, size_t size, bool optional)
{
    if (!array->open && optional) {
        return true;
    }
    if (!array->open || (size_t)array->bytes != n * size) {
        core_refuse("%s needs %zu numbers", what, n);
        return false;
    }
    if ((uintptr_t)array->data % size != 0) {
        core_refuse("%s is not aligned to %zu bytes", what, size);
        return false;
    }
    return true;
}

bool core_arena(utArena* arena)
{
    if (ut_arena_create(0, NULL, arena) != UT_OK) {
        PyErr_NoMemory();
        return false;
    }
    return true;
}

// ---- conversions --------------------------------------------------------------------------------

PyObject* core_vec3(utVec3 a)
{
    return Py_BuildValue("(ddd)", a.x, a.y, a.z);
}

PyObject* core_quat(utQuat q)
{
    return Py_BuildValue("(dddd)", q.w, q.x, q.y, q.z);
}

PyObject* core_text(utText text)
{
    return PyUnicode_DecodeUTF8(text.data != NULL ? text.data : "", (Py_ssize_t)text.size,
                                "replace");
}

bool core_put(PyObject* dict, const char* key, PyObject* value)
{
    const bool done = value != NULL && PyDict_SetItemString(dict, key, value) == 0;
    Py_XDECREF(value);
    return done;
}

bool core_put_double(PyObject* dict, const char* key, double value)
{
    return core_put(dict, key, PyFloat_FromDouble(value));
}

bool core_put_int(PyObject* dict, const char* key, long long value)
{
    return core_put(dict, key, PyLong_FromLongLong(value));
}

bool core_put_text(PyObject* dict, const char* key, const char* text)
{
    text = text != NULL ? text : "";
    return core_put(dict, key, PyUnicode_DecodeUTF8(text, (Py_ssize_t)strlen(text), "replace"));
}

bool core_put_bool(PyObject* dict, const char* key, bool value)
{
    return core_put(dict, key, PyBool_FromLong(value));
}

bool core_put_bytes(PyObject* dict, const char* key, const void* data, size_t size)
{
    const bool empty = size == 0 || data == NULL;
    return core_put(dict, key,
                    PyByteArray_FromStringAndSize(empty ? "" : data, empty ? 0 : (Py_ssize_t)size));
}
