// SPDX-License-Identifier: Apache-2.0
#include "core.h"

PyMethodDef core_forms_methods[] = {{NULL, NULL, 0, NULL}};
