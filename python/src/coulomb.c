// SPDX-License-Identifier: Apache-2.0
#include "core.h"

PyMethodDef core_coulomb_methods[] = {{NULL, NULL, 0, NULL}};
PyObject* core_problem(const utCoulomb* problem)
{
    (void)problem;
    return NULL;
}
