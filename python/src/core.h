// SPDX-License-Identifier: Apache-2.0
// What the files of the extension module share. The module is uptack._core: thin wrappers of the public
// C functions, on which the Python files of the package build. It uses Python's limited interface
// alone, so that one binary serves Python 3.11 and later, and reaches arrays by the buffer protocol.
#ifndef UPTACK_PYTHON_CORE_H
#define UPTACK_PYTHON_CORE_H

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030b0000
#include <Python.h>

#include <stdio.h>
#include <uptack/coulomb.h>
#include <uptack/uptack.h>

// ---- objects ------------------------------------------------------------------------------------

// Doubles that numpy arrays may share: they live as long as the last array that shows them. The block
// knows nothing of the sim, so that a sim may go, or move its memory, at any time.
typedef struct Block {
    PyObject_HEAD Py_ssize_t count;
    Py_ssize_t shape[2]; // shape[1] is 0 for one dimension
    Py_ssize_t stride[2];
    double* data; // aligned to 64 bytes
    void* memory;
} Block;

// A compiled model with its description. It never changes.
typedef struct Compiled {
    PyObject_HEAD utModelDef* def;
    utModel* model;
    PyObject* notes;   // list of tuples
    PyObject* name;    // of the file or scene, for messages
    PyObject* changes; // list of "NAME.ATTR=VALUE", for recordings
} Compiled;

extern PyTypeObject* core_block_type;
extern PyTypeObject* core_compiled_type;
extern PyTypeObject* core_sim_type;
extern PyTypeObject* core_batch_type;

// A type of one of the files, to be added to the module.
int core_add_block(PyObject* module);
int core_add_compiled(PyObject* module);
int core_add_sim(PyObject* module);
int core_add_recorder(PyObject* module);
int core_add_batch(PyObject* module);

// Functions of the files, added to the module.
extern PyMethodDef core_lcp_methods[];
extern PyMethodDef core_coulomb_methods[];
extern PyMethodDef core_forms_methods[];
extern PyMethodDef core_law_methods[];
extern PyMethodDef core_record_methods[];
extern PyMethodDef core_tables_methods[];
extern PyMethodDef core_names_methods[];
extern PyMethodDef core_equations_methods[];

// ---- errors -------------------------------------------------------------------------------------

// Raise the exception of a status: uptack.Error or a class below it, with file, line and column.
// @return NULL
PyObject* core_raise(utStatus status, const utError* err);

// Raise one for a step that is not certified. @param certificate a dict @return NULL
PyObject* core_raise_uncertified(const utError* err, double time, PyObject* certificate);

// Raise an ArgumentError. @return NULL
PyObject* core_refuse(const char* format, ...);

// ---- memory -------------------------------------------------------------------------------------

Block* core_block_create(Py_ssize_t rows, Py_ssize_t columns);

// A numpy array that shares the block. @return a new reference
PyObject* core_block_array(Block* block);

// Copy numbers from a number (n = 1), an array of doubles or any sequence. This may run any code of
// Python's, so look at sims afterwards. @return false: raised, and `to` is unchanged
bool core_read_doubles(PyObject* from, const char* what, Py_ssize_t n, double* to);

// Arguments that are arrays of doubles or of ints, which the Python side has made contiguous.
// NULL stands for None.
typedef struct Array {
    Py_buffer view;
    bool open;
    const void* data;
    Py_ssize_t bytes;
} Array;

// Converters for PyArg_Parse's "O&"
int core_array(PyObject* object, void* array);
int core_array_writable(PyObject* object, void* array);
void core_array_close(Array* array);

// Is the array as long as n numbers of `size` bytes? NULL passes when it may be absent.
bool core_array_has(const Array* array, const char* what, size_t n, size_t size, bool optional);

// An arena for the duration of a call.
bool core_arena(utArena* arena);

// ---- conversions --------------------------------------------------------------------------------

PyObject* core_vec3(utVec3 a);
PyObject* core_quat(utQuat q);
PyObject* core_text(utText text);

// Put a new reference into a dict and drop it. @return false: raised
bool core_put(PyObject* dict, const char* key, PyObject* value);
bool core_put_double(PyObject* dict, const char* key, double value);
bool core_put_int(PyObject* dict, const char* key, long long value);
bool core_put_text(PyObject* dict, const char* key, const char* text);
bool core_put_bool(PyObject* dict, const char* key, bool value);
bool core_put_bytes(PyObject* dict, const char* key, const void* data, size_t size);

// The certificate and the report of a step as dicts.
PyObject* core_certificate(const utCertificate* certificate);
PyObject* core_report(const utStepReport* report);

// The contacts of a report as bytes of the rows that uptack._arrays.CONTACT describes.
PyObject* core_contacts(const utModel* model, const utContact* contact, int count);

// The friction problem as a dict of bytes (uptack.coulomb.Problem).
PyObject* core_problem(const utCoulomb* problem);

#endif
