// SPDX-License-Identifier: Apache-2.0
// The numbers by which a report names the rows of an equality.
#ifndef UPTACK_REPORT_ROW_COMPONENT_H
#define UPTACK_REPORT_ROW_COMPONENT_H

/// utRow.component of the rows of an equality beyond its constraint rows, which have 0 to 5.
enum {
    COMPONENT_LOWER = 6,    ///< lower limit
    COMPONENT_UPPER = 7,    ///< upper limit
    COMPONENT_FRICTION = 8, ///< + 0 ... 2: friction of a free coordinate
    COMPONENT_JOINT = 11,   ///< + 0 ... 2: spring and damper of a free coordinate
    COMPONENT_ACTUATOR = 14 ///< + index of the actuator
};

#endif
