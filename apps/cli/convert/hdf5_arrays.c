// SPDX-License-Identifier: Apache-2.0
// Arrays as HDF5: one dataset per array.
#include "convert/arrays.h"

#ifdef UPTACK_HAVE_HDF5

#include <hdf5.h>

// The type of the entries in the file; texts have a type of their own, which is to be closed.
static hid_t type_of(const CliArray* array)
{
    if (array->number == CLI_BYTES) {
        const hid_t type = H5Tcopy(H5T_C_S1);
        (void)H5Tset_size(type, array->width);
        (void)H5Tset_strpad(type, H5T_STR_NULLPAD);
        return type;
    }
    return H5Tcopy(array->number == CLI_DOUBLE  ? H5T_IEEE_F64LE
                   : array->number == CLI_INT32 ? H5T_STD_I32LE
                   : array->number == CLI_INT64 ? H5T_STD_I64LE
                                                : H5T_STD_U64LE);
}

typedef struct Hdf5 {
    const char* path;
    hid_t file;
} Hdf5;

static utStatus add_array(void* context, const CliArray* array, utError* err)
{
    const Hdf5* h = context;
    hsize_t size[CLI_ARRAY_AXES] = {0};
    for (int k = 0; k < array->axes; k++) {
        size[k] = array->size[k];
    }
    const hid_t type = type_of(array);
    const hid_t space =
        array->axes > 0 ? H5Screate_simple(array->axes, size, NULL) : H5Screate(H5S_SCALAR);
    const hid_t how = H5Pcreate(H5P_DATASET_CREATE);
    (void)H5Pset_obj_track_times(how, false); // the same arrays give the same bytes
    const hid_t set = H5Dcreate2(h->file, array->name, type, space, H5P_DEFAULT, how, H5P_DEFAULT);
    const bool written = set >= 0 && (array->bytes == 0 || H5Dwrite(set, type, H5S_ALL, H5S_ALL,
                                                                    H5P_DEFAULT, array->data) >= 0);
    const bool closed = set < 0 || H5Dclose(set) >= 0;
    (void)H5Pclose(how);
    (void)H5Sclose(space);
    (void)H5Tclose(type);
    return written && closed ? UT_OK
                             : ut_error_at(err, UT_ERR_IO, h->path, 0, 0, "cannot be written");
}

utStatus cli_write_hdf5_of(CliArraySource* source, void* context, const char* path, utError* err)
{
    (void)H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    Hdf5 h = {path, H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT)};
    if (h.file < 0) {
        return ut_error_at(err, UT_ERR_IO, path, 0, 0, "cannot be written");
    }
    const utStatus status = source(context, add_array, &h, err);
    const bool closed = H5Fclose(h.file) >= 0;
    return status == UT_OK && !closed ? ut_error_at(err, UT_ERR_IO, path, 0, 0, "cannot be written")
                                      : status;
}

#else

utStatus cli_write_hdf5_of(CliArraySource* source, void* context, const char* path, utError* err)
{
    (void)source;
    (void)context;
    return ut_error_at(
        err, UT_ERR_ARGUMENT, path, 0, 0,
        "uptack was built without HDF5; write .npz, or install libhdf5-dev and build "
        "again");
}

#endif
