// SPDX-License-Identifier: Apache-2.0
#include "core.h"

PyMethodDef core_record_methods[] = {{NULL, NULL, 0, NULL}};
int core_add_recorder(PyObject* module)
{
    (void)module;
    return 0;
}
