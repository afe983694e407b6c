// SPDX-License-Identifier: Apache-2.0
/// @file problem_files.h
/// Reads linear complementarity problems and frictional contact problems from files. Part of the library
/// uptack_problems.
///
/// Functions may be called from several threads at once when each thread has its own arena. An exception
/// is HDF5, whose library may not be safe for threads: read one FCLIB file at a time.
#ifndef UPTACK_PROBLEM_FILES_H
#define UPTACK_PROBLEM_FILES_H

#include <uptack/coulomb.h>
#include <uptack/lcp.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---- linear complementarity problems ------------------------------------------------------------

typedef enum utLcpFormat {
    UT_LCP_FORMAT_AUTO, ///< JSON if the text starts with '{'; .dat if the file name ends so; else
                        ///< text
    UT_LCP_FORMAT_TEXT, ///< '#' comments; n; n rows of M; q
    UT_LCP_FORMAT_JSON, ///< {"M":[[..]],"q":[..],"free":k,"lo":[..],"hi":[..],"findex":[..]}
    UT_LCP_FORMAT_DAT,  ///< Siconos: an LCP with a dense or block-sparse matrix
    UT_LCP_FORMAT_DAT_MIXED, ///< Siconos: an MLCP with a dense matrix
} utLcpFormat;

/// Read a problem. All its arrays are in `keep`.
/// @param file   name for messages; its ending may decide the format
/// @param err    file:line:col and a message
/// @return UT_ERR_FORMAT, UT_ERR_CAPACITY, or UT_OK with a problem that passes ut_lcp_check
UT_API utStatus ut_lcp_read(utText text, const char* file, utLcpFormat format, utArena* keep,
                            utLcp* lcp, utError* err);

// ---- frictional contact problems ----------------------------------------------------------------

/// Read the text form (.fc, docs/coulomb.md). Version 1: `fc d nc nnz`, then nnz lines `i j value`
/// of W (0-based), q, mu. Version 2 begins with `fc2` and has everything: scalar rows, bounds,
/// masses and Jacobians by bodies, the section. All arrays are in `keep`.
/// @param err file:line:col and a message
/// @return UT_ERR_FORMAT, also for a problem that ut_coulomb_check rejects; UT_ERR_CAPACITY when there
///         is no memory
UT_API utStatus ut_coulomb_read(utText text, const char* file, utArena* keep, utCoulomb* problem,
                                utError* err);

/// The same, with the impulses of a file of version 2.
/// @param r receives the impulses, N entries in `keep`, or NULL if the file has none; may be NULL
UT_API utStatus ut_coulomb_read_impulses(utText text, const char* file, utArena* keep,
                                         utCoulomb* problem, const double** r, utError* err);

/// Read a problem of FCLIB, the collection of friction problems in HDF5. Such a file holds:
///
///     /fclib_local    spacedim, W, vectors/{q, mu}; with bilateral rows also V, R, vectors/s:
///                     u = W r + V l + q,  V'r + R l + s = 0
///     /fclib_global   spacedim, M, H, vectors/{f, w, mu}; with bilateral rows also G, vectors/b:
///                     M v = H r + G l + f,  u = H'v + w,  G'v + b = 0
///
/// A local problem is returned with W as sparse rows. A global one is returned as blocks, with its
/// velocities reordered so that velocities that M connects are adjacent; one triangle of M suffices. If
/// a file has both, the local one is read. All arrays are in `keep`. HDF5 uses memory of its own until
/// the call returns.
/// @param path "-" reads standard input
/// @param err  the file, the group or dataset and a message
/// @return UT_ERR_CAPACITY when there is no memory; UT_ERR_FORMAT also when the build has no HDF5
UT_API utStatus ut_coulomb_read_fclib(const char* path, utArena* keep, utCoulomb* problem,
                                      utError* err);

/// The same from the bytes of such a file. @param file its name in messages
UT_API utStatus ut_coulomb_read_fclib_bytes(utText bytes, const char* file, utArena* keep,
                                            utCoulomb* problem, utError* err);

/// Can this build read HDF5?
UT_API bool ut_coulomb_has_fclib(void);

#ifdef __cplusplus
}
#endif

#endif
