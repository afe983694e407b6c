// SPDX-License-Identifier: Apache-2.0
#include "core.h"

PyMethodDef core_law_methods[] = {{NULL, NULL, 0, NULL}};
