// SPDX-License-Identifier: Apache-2.0
#include "core.h"

PyMethodDef core_lcp_methods[] = {{NULL, NULL, 0, NULL}};
