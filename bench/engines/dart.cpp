// DART (Debian: libdart-dev with libdart-collision-ode-dev): generalized coordinates, contacts from
// ODE's collision code, a boxed LCP by Dantzig's method with Gauss-Seidel behind it, as it comes.
#include "engines.h"

#include <cstdio>
#include <dart/collision/ode/ode.hpp>
#include <dart/constraint/ConstraintSolver.hpp>
#include <dart/dynamics/BodyNode.hpp>
#include <dart/dynamics/BoxShape.hpp>
#include <dart/dynamics/CapsuleShape.hpp>
#include <dart/dynamics/FreeJoint.hpp>
#include <dart/dynamics/PlaneShape.hpp>
#include <dart/dynamics/RevoluteJoint.hpp>
#include <dart/dynamics/Skeleton.hpp>
#include <dart/dynamics/SphereShape.hpp>
#include <dart/dynamics/WeldJoint.hpp>
#include <dart/simulation/World.hpp>
#include <string>
#include <vector>

namespace
{

using namespace dart::dynamics;

Eigen::Vector3d to_eigen(utVec3 a)
{
    return Eigen::Vector3d(a.x, a.y, a.z);
}

Eigen::Isometry3d to_eigen(utVec3 pos, utQuat q)
{
    Eigen::Isometry3d at = Eigen::Isometry3d::Identity();
    at.linear() = Eigen::Quaterniond(q.w, q.x, q.y, q.z).toRotationMatrix();
    at.translation() = to_eigen(pos);
    return at;
}

utVec3 from_eigen(const Eigen::Vector3d& a)
{
    return ut_vec3(a.x(), a.y(), a.z());
}

struct Engine {
    const World* world;
    dart::simulation::WorldPtr simulation;
    std::vector<SkeletonPtr> trees;
    std::vector<BodyNode*> body;
};

// ---- shapes -------------------------------------------------------------------------------------

ShapePtr make_shape(const WorldGeom& geom)
{
    const utVec3 size = geom.shape.size;
    if (geom.shape.kind == UT_SHAPE_SPHERE) {
        return std::make_shared<SphereShape>(size.x);
    }
    if (geom.shape.kind == UT_SHAPE_CAPSULE) {
        return std::make_shared<CapsuleShape>(size.x, 2.0 * size.y);
    }
    if (geom.shape.kind == UT_SHAPE_BOX) {
        return std::make_shared<BoxShape>(2.0 * to_eigen(size));
    }
    return std::make_shared<PlaneShape>(Eigen::Vector3d::UnitZ(), 0.0);
}

bool meets_anything(const World* world, int index)
{
    for (int i = 0; i < world->geoms; i++) {
        if (i != index && world_collides(world, i, index)) {
            return true;
        }
    }
    return false;
}

void add_geoms(const World* world, int body, BodyNode* node)
{
    for (int i = 0; i < world->geoms; i++) {
        const WorldGeom& geom = world->geom[i];
        if (geom.body == body && meets_anything(world, i)) {
            ShapeNode* shape =
                node->createShapeNodeWith<CollisionAspect, DynamicsAspect>(make_shape(geom));
            shape->setRelativeTransform(to_eigen(geom.pos, geom.quat));
            // of two it takes the smaller one
            shape->getDynamicsAspect()->setFrictionCoeff(world_largest_mu(world, i));
            shape->getDynamicsAspect()->setRestitutionCoeff(0.0);
        }
    }
}

// ---- bodies -------------------------------------------------------------------------------------

BodyNode* add_free(const SkeletonPtr& skeleton, const WorldBody& b)
{
    auto made = skeleton->createJointAndBodyNodePair<FreeJoint>();
    made.first->setTransform(to_eigen(b.pos, b.quat));
    made.first->setLinearVelocity(to_eigen(b.velocity));
    made.first->setAngularVelocity(to_eigen(b.angular));
    return made.second;
}

// The joint's frame is the body's at the start, moved to the anchor.
BodyNode* add_hinged(const SkeletonPtr& skeleton, const World* world, const WorldBody& b,
                     BodyNode* parent)
{
    auto made = skeleton->createJointAndBodyNodePair<RevoluteJoint>(parent);
    const utVec3 anchor = world_local_point(b.pos, b.quat, b.anchor);
    const Eigen::Isometry3d in_child = to_eigen(anchor, ut_quat_identity());
    Eigen::Isometry3d parent_at = Eigen::Isometry3d::Identity();
    if (b.parent >= 0) {
        parent_at = to_eigen(world->body[b.parent].pos, world->body[b.parent].quat);
    }
    made.first->setTransformFromChildBodyNode(in_child);
    made.first->setTransformFromParentBodyNode(parent_at.inverse() * to_eigen(b.pos, b.quat) *
                                               in_child);
    made.first->setAxis(to_eigen(world_local_axis(b.quat, b.axis)));
    return made.second;
}

void add_body(Engine& engine, int index)
{
    const WorldBody& b = engine.world->body[index];
    BodyNode* parent = b.parent >= 0 ? engine.body[b.parent] : nullptr;
    if (parent == nullptr) {
        engine.trees.push_back(Skeleton::create("tree" + std::to_string(index)));
    }
    const SkeletonPtr& skeleton = engine.trees.back();
    BodyNode* node =
        b.hinged ? add_hinged(skeleton, engine.world, b, parent) : add_free(skeleton, b);
    node->setInertia(
        Inertia(b.mass, 0.0, 0.0, 0.0, b.inertia.x, b.inertia.y, b.inertia.z, 0.0, 0.0, 0.0));
    add_geoms(engine.world, index, node);
    engine.body.push_back(node);
    // a tree's bodies follow each other, and it is complete before the world takes it
    const bool last = index + 1 == engine.world->bodies || engine.world->body[index + 1].parent < 0;
    if (last) {
        engine.simulation->addSkeleton(skeleton);
    }
}

void add_ground(Engine& engine)
{
    SkeletonPtr ground = Skeleton::create("ground");
    auto made = ground->createJointAndBodyNodePair<WeldJoint>();
    add_geoms(engine.world, -1, made.second);
    ground->setMobile(false);
    engine.simulation->addSkeleton(ground);
}

void* create(const World* world, int variant, char* why)
{
    (void)variant;
    (void)why;
    auto* engine = new Engine{world, dart::simulation::World::create(), {}, {}};
    engine->simulation->setTimeStep(world->dt);
    engine->simulation->setGravity(to_eigen(world->gravity));
    auto* solver = engine->simulation->getConstraintSolver();
    solver->setCollisionDetector(dart::collision::OdeCollisionDetector::create());
    solver->getCollisionOption().maxNumContacts = 100000;
    add_ground(*engine);
    for (int i = 0; i < world->bodies; i++) {
        add_body(*engine, i);
    }
    return engine;
}

// ---- stepping -----------------------------------------------------------------------------------

bool step(void* context)
{
    Engine& engine = *static_cast<Engine*>(context);
    for (int i = 0; i < engine.world->bodies; i++) {
        const WorldBody& b = engine.world->body[i];
        if (b.servo) {
            Joint* joint = engine.body[i]->getParentJoint();
            joint->setForce(0, b.kp * (b.target - joint->getPosition(0)) -
                                   b.kd * joint->getVelocity(0));
        } else if (ut_vec3_norm(b.push) > 0.0) {
            engine.body[i]->addExtForce(to_eigen(b.push), Eigen::Vector3d::Zero(), false, true);
        }
    }
    engine.simulation->step();
    return true;
}

void read_states(void* context, BodyState* states)
{
    Engine& engine = *static_cast<Engine*>(context);
    for (int i = 0; i < engine.world->bodies; i++) {
        const BodyNode* node = engine.body[i];
        const Eigen::Isometry3d& at = node->getTransform();
        const Eigen::Quaterniond q(at.linear());
        states[i] = {from_eigen(at.translation()), ut_quat(q.w(), q.x(), q.y(), q.z()),
                     from_eigen(node->getLinearVelocity()), from_eigen(node->getAngularVelocity())};
    }
}

void destroy(void* context)
{
    delete static_cast<Engine*>(context);
}

} // namespace

const Driver* driver_dart(void)
{
    static const Driver driver = {
        "DART", "libdart-dev, libdart-collision-ode-dev", create, step, read_states, nullptr,
        destroy};
    return &driver;
}
