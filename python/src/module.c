// SPDX-License-Identifier: Apache-2.0
// The module uptack._core.
#include "core.h"

static struct PyModuleDef definition = {
    .m_base = PyModuleDef_HEAD_INIT,
    .m_name = "uptack._core",
    .m_doc = "The C functions of uptack. The package uptack builds on them.",
    .m_size = -1, // types and interned texts are kept for the whole process
};

static int fill(PyObject* module)
{
    PyMethodDef* const functions[] = {
        core_names_methods, core_lcp_methods,    core_coulomb_methods, core_forms_methods,
        core_law_methods,   core_record_methods, core_tables_methods,  core_equations_methods};
    if (core_add_block(module) != 0 || core_add_compiled(module) != 0 ||
        core_add_sim(module) != 0 || core_add_recorder(module) != 0 ||
        core_add_batch(module) != 0) {
        return -1;
    }
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        if (PyModule_AddFunctions(module, functions[i]) != 0) {
            return -1;
        }
    }
    return PyModule_AddStringConstant(module, "version", ut_version_text());
}

PyMODINIT_FUNC PyInit__core(void);

PyMODINIT_FUNC PyInit__core(void)
{
    PyObject* module = PyModule_Create(&definition);
    if (module != NULL && fill(module) != 0) {
        Py_CLEAR(module);
    }
    return module;
}
