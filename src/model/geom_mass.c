// SPDX-License-Identifier: Apache-2.0
// Geoms that refer to a mesh: their frame, the size of shapes that are fitted to it, and masses.
#include "mesh_asset.h"

#include "internal.h"

// ---- fitting ------------------------------------------------------------------------------------

// Half the extents of the box with the moments and the volume of a mesh: for a box of mass V,
// I_y + I_z - I_x = 2/3 V x^2, where x is half its extent.
static utVec3 inertia_box(const MeshAsset* asset)
{
    const utVec3 I = asset->moments;
    const double scale = 1.5 / asset->volume;
    return ut_vec3(sqrt(fmax(0.0, scale * (I.y + I.z - I.x))),
                   sqrt(fmax(0.0, scale * (I.x + I.z - I.y))),
                   sqrt(fmax(0.0, scale * (I.x + I.y - I.z))));
}

// The sizes that MuJoCo gives to shapes of the inertia box.
static utVec3 size_by_inertia(utShapeKind kind, utVec3 box)
{
    const double radius = 0.5 * (box.x + box.y);
    switch (kind) {
    case UT_SHAPE_SPHERE:
        return ut_vec3((box.x + box.y + box.z) / 3.0, 0.0, 0.0);
    case UT_SHAPE_CAPSULE:
        return ut_vec3(radius, fmax(0.0, box.z - 0.5 * radius), 0.0);
    case UT_SHAPE_CYLINDER:
        return ut_vec3(radius, box.z, 0.0);
    default:
        return box;
    }
}

// The sizes whose bounding box contains that of the mesh.
static utVec3 size_by_bounds(utShapeKind kind, utVec3 half)
{
    const double radius = fmax(half.x, half.y);
    switch (kind) {
    case UT_SHAPE_SPHERE:
        return ut_vec3(fmax(radius, half.z), 0.0, 0.0);
    case UT_SHAPE_CAPSULE:
        return ut_vec3(radius, fmax(0.0, half.z - radius), 0.0);
    case UT_SHAPE_CYLINDER:
        return ut_vec3(radius, half.z, 0.0);
    default:
        return half;
    }
}

void ut_geom_fit(utGeomDef* geom, const MeshAsset* asset)
{
    utQuat quat;
    ut_model_unit(geom->quat, &quat);
    utVec3 centre = asset->pos; // in the frame of the file
    if (!ut_geom_is_mesh(geom)) {
        const utBounds b = asset->bounds;
        const utVec3 half = ut_vec3_scale(ut_vec3_sub(b.high, b.low), 0.5);
        geom->shape.size =
            ut_vec3_scale(geom->fit_bounds ? size_by_bounds(geom->shape.kind, half)
                                           : size_by_inertia(geom->shape.kind, inertia_box(asset)),
                          geom->fit_scale);
        if (geom->fit_bounds) {
            const utVec3 middle = ut_vec3_scale(ut_vec3_add(b.low, b.high), 0.5);
            centre = ut_vec3_add(centre, ut_quat_rotate(asset->quat, middle));
        }
    }
    geom->pos = ut_vec3_add(geom->pos, ut_quat_rotate(quat, centre));
    geom->quat = ut_quat_mul(quat, asset->quat);
}

// ---- masses -------------------------------------------------------------------------------------

static utInertia mass_of_density(const utGeomDef* geom, const MeshAsset* asset, double density)
{
    if (asset != NULL) {
        return ut_inertia(density * asset->volume, ut_vec3_zero(),
                          ut_mat3_diagonal(ut_vec3_scale(asset->moments, density)));
    }
    return geom->shell ? ut_shape_shell_inertia(&geom->shape, density)
                       : ut_shape_inertia(&geom->shape, density);
}

utInertia ut_geom_mass(const utGeomDef* geom, const MeshAsset* asset)
{
    if (!(geom->mass >= 0.0)) {
        return mass_of_density(geom, asset, geom->density);
    }
    // the inertia of unit density, scaled to the given mass; a plane has no volume
    utInertia inertia = mass_of_density(geom, asset, 1.0);
    const double scale = inertia.mass > 0.0 ? geom->mass / inertia.mass : 0.0;
    inertia.mass = inertia.mass > 0.0 ? geom->mass : 0.0;
    inertia.inertia = ut_mat3_scale(inertia.inertia, scale);
    return inertia;
}
