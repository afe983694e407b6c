// SPDX-License-Identifier: Apache-2.0
/// @file uptack.h
/// Everything at once, for programs that do not mind. Each part can be included by itself.
#ifndef UPTACK_UPTACK_H
#define UPTACK_UPTACK_H

#include <uptack/base.h>
#include <uptack/blocks.h>
#include <uptack/certificate.h>
#include <uptack/collision.h>
#include <uptack/coulomb.h>
#include <uptack/dyn.h>
#include <uptack/expression.h>
#include <uptack/flat.h>
#include <uptack/geom.h>
#include <uptack/impact.h>
#include <uptack/io.h>
#include <uptack/json.h>
#include <uptack/law.h>
#include <uptack/lcp.h>
#include <uptack/matrix.h>
#include <uptack/model.h>
#include <uptack/ncp.h>
#include <uptack/polyhedral.h>
#include <uptack/record.h>
#include <uptack/report.h>
#include <uptack/scenes.h>
#include <uptack/scenes.h>
#include <uptack/sim.h>
#include <uptack/sim_coulomb.h>
#include <uptack/uniqueness.h>
#include <uptack/vec.h>

#endif
