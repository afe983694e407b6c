// SPDX-License-Identifier: Apache-2.0
// Friction and restitution are not part of URDF. Gazebo's and Bullet's elements for them are read when
// utUrdfDef.friction is set, and noted otherwise.
#include "urdf.h"

#include <string.h>

static const char not_read[] = "friction of extensions is not read; utUrdfDef.friction "
                               "(--friction) changes that";

static const char no_link[] = "not read: the reference of this gazebo is not a link";

static int body_of(const Urdf* u, const char* name)
{
    const int link = ut_names_find(&u->link_names, name);
    return link >= 0 ? u->link[link].body : -1;
}

static void set_friction(const Urdf* u, int body, double mu)
{
    const MjcfBody* b = &u->m->parts.body[body];
    for (int i = b->geom; i < b->geom + b->geoms; i++) {
        u->m->parts.geom[i].def.friction = mu;
    }
}

// ---- Gazebo -------------------------------------------------------------------------------------

// Read the number between the tags of an element or, as older files have it, of its attribute `value`.
static utStatus get_number(Urdf* u, const XmlNode* node, double* x)
{
    if (ut_xml_attribute(node, "value") != NULL) {
        const MjcfPlace p = ut_urdf_place(u, node);
        return ut_mjcf_get_not_negative(&p, "value", x);
    }
    const char* begin = node->text;
    const char* end = node->file->text.data + node->file->text.size;
    const char* behind = begin != NULL ? ut_number_read(begin, end, x) : NULL;
    const bool good = behind != NULL && (behind == end || *behind == '<' || ut_is_blank(*behind));
    return good && *x >= 0.0
               ? UT_OK
               : ut_mjcf_fail(u->m, node, "%s needs a number that is not negative", node->name);
}

// Friction here is the same in all directions: a second coefficient must be the first one.
static utStatus check_second(Urdf* u, const XmlNode* second, double mu)
{
    const XmlNode* first = ut_urdf_child(second->parent, "mu1");
    double x = -1.0;
    first = first != NULL ? first : ut_urdf_child(second->parent, "mu");
    UT_TRY(first != NULL ? get_number(u, first, &x) : UT_OK);
    return x == mu ? UT_OK
                   : ut_mjcf_note(u->m, second, NULL, true, "gazebo/mu2",
                                  "not read: friction is the same in all directions; mu1 gives it");
}

static utStatus read_gazebo(Urdf* u, const XmlNode* gazebo)
{
    const XmlAttribute* reference = ut_xml_attribute(gazebo, "reference");
    const int body = reference != NULL ? body_of(u, reference->value) : -1;
    UT_TRY(ut_mjcf_note(u->m, gazebo, NULL, false, "gazebo", "for Gazebo"));
    for (const XmlNode* n = gazebo; n != NULL; n = ut_xml_next(n, gazebo)) {
        if (!ut_word_in("mu mu1 mu2", n->name)) {
            continue;
        }
        if (!u->def->friction || body < 0) {
            UT_TRY(ut_mjcf_note(u->m, n, NULL, true, "gazebo/mu",
                                u->def->friction ? no_link : not_read));
            continue;
        }
        double mu = 0.0;
        UT_TRY(get_number(u, n, &mu));
        if (strcmp(n->name, "mu2") == 0) {
            UT_TRY(check_second(u, n, mu));
        } else {
            set_friction(u, body, mu);
        }
    }
    return UT_OK;
}

// ---- Bullet -------------------------------------------------------------------------------------

static utStatus read_contact(Urdf* u, const UrdfLink* link, const XmlNode* contact)
{
    const MjcfBody* body = &u->m->parts.body[link->body];
    for (const XmlNode* n = contact->first; n != NULL; n = n->next) {
        const bool friction = strcmp(n->name, "lateral_friction") == 0;
        const bool restitution = strcmp(n->name, "restitution") == 0;
        const MjcfPlace p = ut_urdf_place(u, n);
        if (!friction && !restitution) {
            UT_TRY(ut_mjcf_note_missing(u->m, n, NULL, "link/contact", "not supported"));
        } else if (!u->def->friction) {
            UT_TRY(ut_mjcf_note(u->m, n, NULL, true, "link/contact", not_read));
        } else if (friction) {
            double mu = 1.0;
            UT_TRY(ut_mjcf_get_not_negative(&p, "value", &mu));
            set_friction(u, link->body, mu);
        } else {
            double e = 0.0;
            UT_TRY(ut_mjcf_get_fraction(&p, "value", &e));
            for (int i = body->geom; i < body->geom + body->geoms; i++) {
                u->m->parts.geom[i].def.restitution = e;
            }
        }
    }
    return UT_OK;
}

utStatus ut_urdf_friction(Urdf* u)
{
    for (const XmlNode* n = u->robot->first; n != NULL; n = n->next) {
        if (strcmp(n->name, "gazebo") == 0) {
            UT_TRY(read_gazebo(u, n));
        }
    }
    for (int i = 0; i < u->links; i++) {
        const UrdfLink* link = &u->link[i];
        const XmlNode* contact = link->node != NULL ? ut_urdf_child(link->node, "contact") : NULL;
        if (contact != NULL) {
            UT_TRY(read_contact(u, link, contact));
        }
    }
    return UT_OK;
}
