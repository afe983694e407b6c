// Bullet (Debian: libbullet-dev, its double precision libraries): sequential impulses; trees of
// hinges as its multi-bodies in generalized coordinates, everything else as rigid bodies.
#include "engines.h"

#include <BulletDynamics/Featherstone/btMultiBodyConstraintSolver.h>
#include <BulletDynamics/Featherstone/btMultiBodyDynamicsWorld.h>
#include <BulletDynamics/Featherstone/btMultiBodyLinkCollider.h>
#include <btBulletDynamicsCommon.h>
#include <cmath>
#include <cstdio>
#include <memory>
#include <vector>

namespace
{

btVector3 to_bullet(utVec3 a)
{
    return btVector3(a.x, a.y, a.z);
}

btQuaternion to_bullet(utQuat q)
{
    return btQuaternion(q.x, q.y, q.z, q.w);
}

utVec3 from_bullet(const btVector3& a)
{
    return ut_vec3(a.x(), a.y(), a.z());
}

utQuat from_bullet(const btQuaternion& q)
{
    return ut_quat(q.w(), q.x(), q.y(), q.z());
}

// ---- pairs --------------------------------------------------------------------------------------

// Which pairs meet is the scene's to say; an object's user index is its geom.
struct Filter : public btOverlapFilterCallback {
    const World* world;

    explicit Filter(const World* scene) : world(scene)
    {
    }

    bool needBroadphaseCollision(btBroadphaseProxy* a, btBroadphaseProxy* b) const override
    {
        const auto* first = static_cast<const btCollisionObject*>(a->m_clientObject);
        const auto* second = static_cast<const btCollisionObject*>(b->m_clientObject);
        return world_collides(world, first->getUserIndex(), second->getUserIndex());
    }
};

// Its own rule is the product.
btScalar larger_friction(const btCollisionObject* a, const btCollisionObject* b)
{
    return std::fmax(a->getFriction(), b->getFriction());
}

// ---- the world ----------------------------------------------------------------------------------

// Where a hinged body sits in a multi-body.
struct Link {
    btMultiBody* tree = nullptr;
    int index = -1; // -1: the base
};

struct Engine {
    const World* world;
    Filter filter;
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher;
    btDbvtBroadphase broadphase;
    btMultiBodyConstraintSolver multi_solver;
    btSequentialImpulseConstraintSolver solver;
    std::unique_ptr<btDiscreteDynamicsWorld> dynamics;
    btMultiBodyDynamicsWorld* multi = nullptr; // the same, when some body is hinged
    std::vector<std::unique_ptr<btCollisionShape>> shapes;
    std::vector<std::unique_ptr<btCollisionObject>> objects;
    std::vector<std::unique_ptr<btMultiBody>> trees;
    std::vector<btRigidBody*> body; // nullptr for those of trees
    std::vector<Link> link;
    std::vector<BodyState> states;

    explicit Engine(const World* scene)
        : world(scene), filter(scene), dispatcher(&configuration), body(scene->bodies, nullptr),
          link(scene->bodies), states(scene->bodies)
    {
    }

    ~Engine()
    {
        for (auto& tree : trees) {
            multi->removeMultiBody(tree.get());
        }
        for (auto& object : objects) {
            dynamics->removeCollisionObject(object.get());
        }
    }
};

btCollisionShape* make_shape(Engine& engine, const WorldGeom& geom)
{
    const utVec3 size = geom.shape.size;
    btCollisionShape* shape = nullptr;
    if (geom.shape.kind == UT_SHAPE_SPHERE) {
        shape = new btSphereShape(size.x);
    } else if (geom.shape.kind == UT_SHAPE_CAPSULE) {
        shape = new btCapsuleShapeZ(size.x, 2.0 * size.y);
    } else if (geom.shape.kind == UT_SHAPE_BOX) {
        shape = new btBoxShape(to_bullet(size));
    } else {
        const utVec3 n = ut_quat_rotate(geom.quat, ut_vec3(0.0, 0.0, 1.0));
        shape = new btStaticPlaneShape(to_bullet(n), ut_vec3_dot(n, geom.pos));
    }
    engine.shapes.emplace_back(shape);
    return shape;
}

void finish(btCollisionObject* object, const World* world, int geom)
{
    object->setFriction(world->geom[geom].mu);
    object->setRestitution(0.0);
    object->setUserIndex(geom);
    object->setActivationState(DISABLE_DEACTIVATION);
}

void add_fixed(Engine& engine, int index)
{
    const WorldGeom& geom = engine.world->geom[index];
    const btTransform at(to_bullet(geom.quat), to_bullet(geom.pos));
    const bool plane = geom.shape.kind == UT_SHAPE_PLANE;
    auto* object = new btRigidBody(0.0, nullptr, make_shape(engine, geom));
    object->setWorldTransform(plane ? btTransform::getIdentity() : at);
    finish(object, engine.world, index);
    engine.objects.emplace_back(object);
    engine.dynamics->addRigidBody(object);
}

void add_free(Engine& engine, int index, const WorldBody& from)
{
    const WorldGeom& geom = engine.world->geom[index];
    auto* body =
        new btRigidBody(from.mass, nullptr, make_shape(engine, geom), to_bullet(from.inertia));
    body->setCenterOfMassTransform(btTransform(to_bullet(from.quat), to_bullet(from.pos)));
    body->setLinearVelocity(to_bullet(from.velocity));
    body->setAngularVelocity(to_bullet(from.angular));
    finish(body, engine.world, index);
    engine.objects.emplace_back(body);
    engine.body[geom.body] = body;
    engine.dynamics->addRigidBody(body);
}

// ---- trees --------------------------------------------------------------------------------------

int root_of(const World* world, int body)
{
    while (world->body[body].parent >= 0) {
        body = world->body[body].parent;
    }
    return body;
}

void set_link(Engine& engine, btMultiBody* tree, int index, int body)
{
    const World* world = engine.world;
    const WorldBody& b = world->body[body];
    const bool on_body = b.parent >= 0;
    const utQuat parent_quat = on_body ? world->body[b.parent].quat : ut_quat_identity();
    const utVec3 parent_pos = on_body ? world->body[b.parent].pos : b.anchor;
    const utQuat to_child = ut_quat_mul(ut_quat_conjugate(b.quat), parent_quat);
    const utVec3 arm = world_local_axis(b.quat, ut_vec3_sub(b.pos, b.anchor));
    tree->setupRevolute(
        index, b.mass, to_bullet(b.inertia), on_body ? engine.link[b.parent].index : -1,
        to_bullet(to_child), to_bullet(world_local_axis(b.quat, b.axis)),
        to_bullet(world_local_point(parent_pos, parent_quat, b.anchor)), to_bullet(arm), true);
    engine.link[body] = {tree, index};
}

// All bodies below a root; a root on a hinge gets a base fixed to the world.
void add_tree(Engine& engine, int root)
{
    const World* world = engine.world;
    const WorldBody& r = world->body[root];
    std::vector<int> members;
    for (int i = root; i < world->bodies; i++) {
        if (root_of(world, i) == root && (i != root || r.hinged)) {
            members.push_back(i);
        }
    }
    auto* tree =
        new btMultiBody(static_cast<int>(members.size()), r.hinged ? 0.0 : r.mass,
                        r.hinged ? btVector3(0, 0, 0) : to_bullet(r.inertia), r.hinged, false);
    engine.trees.emplace_back(tree);
    const utVec3 base = r.hinged ? r.anchor : r.pos;
    const utQuat turned = r.hinged ? ut_quat_identity() : r.quat;
    tree->setBaseWorldTransform(btTransform(to_bullet(turned), to_bullet(base)));
    tree->setLinearDamping(0.0);
    tree->setAngularDamping(0.0);
    // rates beyond 100 rad/s are cut otherwise, and energy with them
    tree->setMaxCoordinateVelocity(1e30);
    if (!r.hinged) {
        engine.link[root] = {tree, -1};
    }
    for (int i = 0; i < static_cast<int>(members.size()); i++) {
        set_link(engine, tree, i, members[i]);
    }
    tree->finalizeMultiDof();
    if (!r.hinged) {
        tree->setBaseVel(to_bullet(r.velocity));
        tree->setBaseOmega(to_bullet(r.angular));
    }
    engine.multi->addMultiBody(tree);
}

void add_collider(Engine& engine, int index)
{
    const WorldGeom& geom = engine.world->geom[index];
    const WorldBody& b = engine.world->body[geom.body];
    const Link& link = engine.link[geom.body];
    auto* collider = new btMultiBodyLinkCollider(link.tree, link.index);
    collider->setCollisionShape(make_shape(engine, geom));
    collider->setWorldTransform(btTransform(to_bullet(b.quat), to_bullet(b.pos)));
    finish(collider, engine.world, index);
    engine.objects.emplace_back(collider);
    engine.dynamics->addCollisionObject(collider, btBroadphaseProxy::DefaultFilter,
                                        btBroadphaseProxy::AllFilter);
    if (link.index < 0) {
        link.tree->setBaseCollider(collider);
    } else {
        link.tree->getLink(link.index).m_collider = collider;
    }
}

// ---- building -----------------------------------------------------------------------------------

bool is_centred(const WorldGeom& geom)
{
    const utQuat& q = geom.quat;
    return ut_vec3_norm(geom.pos) <= 1e-12 && std::fabs(q.w) >= 1.0 - 1e-12;
}

void make_dynamics(Engine& engine, int iterations)
{
    if (engine.world->hinged) {
        engine.multi = new btMultiBodyDynamicsWorld(&engine.dispatcher, &engine.broadphase,
                                                    &engine.multi_solver, &engine.configuration);
        engine.dynamics.reset(engine.multi);
    } else {
        engine.dynamics.reset(new btDiscreteDynamicsWorld(&engine.dispatcher, &engine.broadphase,
                                                          &engine.solver, &engine.configuration));
    }
    engine.dynamics->getPairCache()->setOverlapFilterCallback(&engine.filter);
    engine.dynamics->setGravity(to_bullet(engine.world->gravity));
    engine.dynamics->getSolverInfo().m_numIterations = iterations;
}

void* create(const World* world, int variant, char* why)
{
    gCalculateCombinedFrictionCallback = larger_friction;
    std::unique_ptr<Engine> engine(new Engine(world));
    make_dynamics(*engine, variant == BULLET_SI50 ? 50 : 10);
    for (int i = 0; i < world->bodies && world->hinged; i++) {
        if (world->body[i].parent < 0) {
            add_tree(*engine, i);
        }
    }
    for (int i = 0; i < world->geoms; i++) {
        const WorldGeom& geom = world->geom[i];
        if (geom.body >= 0 && !is_centred(geom)) {
            std::snprintf(why, ENGINE_TEXT, "a shape is off its body's centre");
            return nullptr;
        }
        if (geom.body < 0) {
            add_fixed(*engine, i);
        } else if (world->hinged) {
            add_collider(*engine, i);
        } else {
            add_free(*engine, i, world->body[geom.body]);
        }
    }
    return engine.release();
}

// ---- stepping -----------------------------------------------------------------------------------

void act(Engine& engine)
{
    for (int i = 0; i < engine.world->bodies; i++) {
        const WorldBody& b = engine.world->body[i];
        if (b.servo) {
            const Link& link = engine.link[i];
            const double angle = link.tree->getJointPos(link.index);
            const double rate = link.tree->getJointVel(link.index);
            link.tree->addJointTorque(link.index, b.kp * (b.target - angle) - b.kd * rate);
        } else if (engine.body[i] != nullptr && ut_vec3_norm(b.push) > 0.0) {
            engine.body[i]->applyCentralForce(to_bullet(b.push));
        }
    }
}

bool step(void* context)
{
    Engine& engine = *static_cast<Engine*>(context);
    act(engine);
    engine.dynamics->stepSimulation(engine.world->dt, 0);
    return true;
}

// Places by its own kinematics; velocities outward from the base by the hinges' rates.
BodyState link_state(const Engine& engine, int index)
{
    const WorldBody& b = engine.world->body[index];
    const Link& link = engine.link[index];
    if (link.index < 0) {
        const btTransform at = link.tree->getBaseWorldTransform();
        return {from_bullet(at.getOrigin()), from_bullet(at.getRotation()),
                from_bullet(link.tree->getBaseVel()), from_bullet(link.tree->getBaseOmega())};
    }
    const btTransform& at = link.tree->getLink(link.index).m_cachedWorldTransform;
    BodyState s = {from_bullet(at.getOrigin()), from_bullet(at.getRotation()), ut_vec3_zero(),
                   ut_vec3_zero()};
    const utVec3 axis = ut_quat_rotate(s.quat, world_local_axis(b.quat, b.axis));
    const utVec3 arm =
        ut_quat_rotate(s.quat, world_local_axis(b.quat, ut_vec3_sub(b.pos, b.anchor)));
    utVec3 anchor_velocity = ut_vec3_zero();
    if (b.parent >= 0) {
        const BodyState& p = engine.states[b.parent];
        const utVec3 anchor = ut_vec3_sub(s.pos, arm);
        s.angular = p.angular;
        anchor_velocity =
            ut_vec3_add(p.velocity, ut_vec3_cross(p.angular, ut_vec3_sub(anchor, p.pos)));
    }
    s.angular = ut_vec3_add_scaled(s.angular, link.tree->getJointVel(link.index), axis);
    s.velocity = ut_vec3_add(anchor_velocity, ut_vec3_cross(s.angular, arm));
    return s;
}

void read_states(void* context, BodyState* states)
{
    Engine& engine = *static_cast<Engine*>(context);
    btAlignedObjectArray<btQuaternion> turns;
    btAlignedObjectArray<btVector3> origins;
    for (auto& tree : engine.trees) {
        tree->forwardKinematics(turns, origins);
    }
    for (int i = 0; i < engine.world->bodies; i++) {
        if (engine.body[i] != nullptr) {
            const btTransform& at = engine.body[i]->getCenterOfMassTransform();
            engine.states[i] = {from_bullet(at.getOrigin()), from_bullet(at.getRotation()),
                                from_bullet(engine.body[i]->getLinearVelocity()),
                                from_bullet(engine.body[i]->getAngularVelocity())};
        } else {
            engine.states[i] = link_state(engine, i);
        }
        states[i] = engine.states[i];
    }
}

void destroy(void* context)
{
    delete static_cast<Engine*>(context);
}

} // namespace

const Driver* driver_bullet(void)
{
    static const Driver driver = {"Bullet",    "libbullet-dev", create, step,
                                  read_states, nullptr,         destroy};
    return &driver;
}
