// SPDX-License-Identifier: Apache-2.0
// The path of a spatial tendon, piece by piece.
#include "model/tendon_path.h"

static utVec3 site_position(const utModel* model, const utFrame* body, int site)
{
    const utModelSite* s = &model->site[site];
    return ut_frame_point(body[s->body], s->in_body.p);
}

// From one site around a geom to another site.
static void wrap_piece(const utModel* model, const utWrap* around, const utFrame* body,
                       TendonPiece* piece)
{
    const utModelGeom* geom = &model->geom[around->object];
    const utFrame at = ut_frame_mul(body[geom->body], geom->in_body);
    const TendonSegment straight = piece->segment[0];
    const utVec3 ends[2] = {ut_frame_point_inverse(at, straight.point[0]),
                            ut_frame_point_inverse(at, straight.point[1])};
    utVec3 side = ut_vec3_zero();
    if (around->side >= 0) {
        side = ut_frame_point_inverse(at, site_position(model, body, around->side));
    }
    TendonWrap wrap;
    if (!ut_tendon_wrap(geom->shape.kind == UT_SHAPE_CYLINDER, geom->shape.size.x, ends,
                        around->side >= 0 ? &side : NULL, &wrap)) {
        return;
    }
    piece->segments = 2;
    piece->arc = wrap.arc;
    piece->geom = around->object;
    piece->segment[0].body[1] = piece->segment[1].body[0] = geom->body;
    piece->segment[0].point[1] = ut_frame_point(at, wrap.point[0]);
    piece->segment[1].point[0] = ut_frame_point(at, wrap.point[1]);
    piece->segment[1].body[1] = straight.body[1];
    piece->segment[1].point[1] = straight.point[1];
}

bool ut_tendon_next_piece(const utModel* model, const utModelTendon* tendon, const utFrame* body,
                          TendonWalk* walk, TendonPiece* piece)
{
    for (; walk->at < tendon->wraps; walk->at++) {
        const utWrap* from = &tendon->wrap[walk->at];
        if (from->kind == UT_WRAP_PULLEY) {
            walk->divisor = from->value;
            continue;
        }
        const bool around = walk->at + 1 < tendon->wraps && from[1].kind == UT_WRAP_GEOM;
        const int next = walk->at + (around ? 2 : 1);
        if (from->kind != UT_WRAP_SITE || next >= tendon->wraps ||
            tendon->wrap[next].kind != UT_WRAP_SITE) {
            continue; // the end of a branch
        }
        const int site[2] = {from->object, tendon->wrap[next].object};
        *piece = (TendonPiece){.segments = 1, .geom = -1, .divisor = walk->divisor};
        for (int k = 0; k < 2; k++) {
            piece->segment[0].body[k] = model->site[site[k]].body;
            piece->segment[0].point[k] = site_position(model, body, site[k]);
        }
        if (around) {
            wrap_piece(model, &from[1], body, piece);
        }
        walk->at = next;
        return true;
    }
    return false;
}

double ut_tendon_path_length(const utModel* model, const utModelTendon* tendon, const utFrame* body)
{
    double length = 0.0;
    TendonWalk walk = {.divisor = 1.0};
    TendonPiece piece;
    while (ut_tendon_next_piece(model, tendon, body, &walk, &piece)) {
        double sum = piece.arc;
        for (int k = 0; k < piece.segments; k++) {
            sum += ut_vec3_norm(ut_vec3_sub(piece.segment[k].point[1], piece.segment[k].point[0]));
        }
        length += sum / piece.divisor;
    }
    return length;
}
