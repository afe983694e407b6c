// SPDX-License-Identifier: Apache-2.0
// Exceptions: the classes are written in Python (uptack/_errors.py), and made here from a utError.
#include "core.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static PyObject* errors_function(const char* name)
{
    PyObject* module = PyImport_ImportModule("uptack._errors");
    PyObject* function = module != NULL ? PyObject_GetAttrString(module, name) : NULL;
    Py_XDECREF(module);
    return function;
}

static PyObject* raise_made(PyObject* exception)
{
    if (exception != NULL) {
        PyErr_SetObject((PyObject*)Py_TYPE(exception), exception);
        Py_DECREF(exception);
    }
    return NULL;
}

PyObject* core_raise(utStatus status, const utError* err)
{
    if (PyErr_Occurred() != NULL) {
        return NULL; // the cause was raised already
    }
    const char* message =
        err != NULL && err->message[0] != '\0' ? err->message : ut_status_text(status);
    PyObject* make = errors_function("make");
    if (make == NULL) {
        return NULL;
    }
    PyObject* text = PyUnicode_DecodeUTF8(message, (Py_ssize_t)strlen(message), "replace");
    const char* file = err != NULL ? err->file : "";
    PyObject* name = PyUnicode_DecodeFSDefault(file);
    PyObject* exception = NULL;
    if (text != NULL && name != NULL) {
        exception =
            PyObject_CallFunction(make, "iOiiO", (int)status, name, err != NULL ? err->line : 0,
                                  err != NULL ? err->column : 0, text);
    }
    Py_XDECREF(text);
    Py_XDECREF(name);
    Py_DECREF(make);
    return raise_made(exception);
}

PyObject* core_raise_uncertified(const utError* err, double time, PyObject* certificate)
{
    PyObject* make = errors_function("make_uncertified");
    if (make == NULL) {
        return NULL;
    }
    PyObject* exception = PyObject_CallFunction(make, "sdO", err->message, time, certificate);
    Py_DECREF(make);
    return raise_made(exception);
}

PyObject* core_refuse(const char* format, ...)
{
    utError err = {.status = UT_ERR_ARGUMENT};
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(err.message, sizeof err.message, format, arguments);
    va_end(arguments);
    return core_raise(UT_ERR_ARGUMENT, &err);
}
