// Bullet: a collision world with its dynamic tree, nothing simulated.
#include "contender.h"

#include <bullet/btBulletCollisionCommon.h>
#include <cmath>
#include <vector>

namespace
{

struct World {
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btDbvtBroadphase broadphase;
    btCollisionWorld world{&dispatcher, &broadphase, &configuration};
    std::vector<btCollisionShape*> shapes;
    std::vector<btCollisionObject*> objects;
    std::vector<btCollisionAlgorithm*> algorithms;

    ~World()
    {
        for (btCollisionAlgorithm* algorithm : algorithms) {
            algorithm->~btCollisionAlgorithm();
            dispatcher.freeCollisionAlgorithm(algorithm);
        }
        for (btCollisionObject* object : objects) {
            delete object;
        }
        for (btCollisionShape* shape : shapes) {
            delete shape;
        }
    }
};

btCollisionShape* create_hull(const Body& body)
{
    double corner[HULL_POINTS][3];
    body_corners(&body, corner);
    btConvexHullShape* hull = new btConvexHullShape;
    for (const auto& x : corner) {
        hull->addPoint(btVector3(btScalar(x[0]), btScalar(x[1]), btScalar(x[2])), false);
    }
    hull->recalcLocalAabb();
    return hull;
}

btCollisionShape* create(const Body& body)
{
    const btScalar x = btScalar(body.size[0]), y = btScalar(body.size[1]),
                   z = btScalar(body.size[2]);
    switch (body.kind) {
    case BODY_PLANE:
        return new btStaticPlaneShape(btVector3(0, 0, 1), 0);
    case BODY_SPHERE:
        return new btSphereShape(x);
    case BODY_CAPSULE:
        return new btCapsuleShapeZ(x, 2 * y);
    case BODY_BOX:
        return new btBoxShape(btVector3(x, y, z));
    case BODY_CYLINDER:
        return new btCylinderShapeZ(btVector3(x, x, y));
    case BODY_HULL:
        return create_hull(body);
    default:
        return nullptr; // it has no ellipsoids
    }
}

btTransform pose(const Body& body)
{
    btMatrix3x3 R;
    for (int i = 0; i < 9; i++) {
        R[i / 3][i % 3] = btScalar(body.R[i]);
    }
    return btTransform(R, btVector3(btScalar(body.p[0]), btScalar(body.p[1]), btScalar(body.p[2])));
}

// All or nothing.
World* fill(int count, const Body* body)
{
    World* world = new World;
    for (int i = 0; i < count; i++) {
        btCollisionShape* shape = create(body[i]);
        if (shape == nullptr) {
            delete world;
            return nullptr;
        }
        btCollisionObject* object = new btCollisionObject;
        object->setCollisionShape(shape);
        object->setWorldTransform(pose(body[i]));
        object->setCollisionFlags(body[i].kind == BODY_PLANE ? btCollisionObject::CF_STATIC_OBJECT
                                                             : 0);
        world->shapes.push_back(shape);
        world->objects.push_back(object);
    }
    return world;
}

void* world_open(int count, const Body* body)
{
    World* world = fill(count, body);
    for (int i = 0; world != nullptr && i < count; i++) {
        world->world.addCollisionObject(world->objects[size_t(i)]);
    }
    return world;
}

int count_contacts(const btDispatcher& dispatcher)
{
    int contacts = 0;
    for (int i = 0; i < dispatcher.getNumManifolds(); i++) {
        contacts +=
            const_cast<btDispatcher&>(dispatcher).getManifoldByIndexInternal(i)->getNumContacts();
    }
    return contacts;
}

void world_detect(void* context, const Body* body, Found* found)
{
    World* world = static_cast<World*>(context);
    for (size_t i = 0; i < world->objects.size(); i++) {
        world->objects[i]->setWorldTransform(pose(body[i]));
    }
    *found = Found();
    const double start = bench_now();
    world->world.updateAabbs();
    world->world.computeOverlappingPairs();
    found->broad = bench_now() - start;
    world->dispatcher.dispatchAllCollisionPairs(world->broadphase.getOverlappingPairCache(),
                                                world->world.getDispatchInfo(), &world->dispatcher);
    found->pairs = world->broadphase.getOverlappingPairCache()->getNumOverlappingPairs();
    found->contacts = count_contacts(world->dispatcher);
}

void* pairs_open(int count, const Body* body)
{
    World* world = fill(2 * count, body);
    for (int i = 0; world != nullptr && i < count; i++) {
        const btCollisionObject* a = world->objects[size_t(2 * i)];
        const btCollisionObject* b = world->objects[size_t(2 * i + 1)];
        const btCollisionObjectWrapper wa(nullptr, a->getCollisionShape(), a,
                                          a->getWorldTransform(), -1, -1);
        const btCollisionObjectWrapper wb(nullptr, b->getCollisionShape(), b,
                                          b->getWorldTransform(), -1, -1);
        world->algorithms.push_back(
            world->dispatcher.findAlgorithm(&wa, &wb, nullptr, BT_CONTACT_POINT_ALGORITHMS));
    }
    return world;
}

int pairs_collide(void* context)
{
    World* world = static_cast<World*>(context);
    for (size_t i = 0; i < world->algorithms.size(); i++) {
        const btCollisionObject* a = world->objects[2 * i];
        const btCollisionObject* b = world->objects[2 * i + 1];
        const btCollisionObjectWrapper wa(nullptr, a->getCollisionShape(), a,
                                          a->getWorldTransform(), -1, -1);
        const btCollisionObjectWrapper wb(nullptr, b->getCollisionShape(), b,
                                          b->getWorldTransform(), -1, -1);
        btManifoldResult result(&wa, &wb);
        world->algorithms[i]->processCollision(&wa, &wb, world->world.getDispatchInfo(), &result);
    }
    return count_contacts(world->dispatcher);
}

double pairs_least_gap(void* context, int i)
{
    World* world = static_cast<World*>(context);
    btManifoldArray manifolds;
    world->algorithms[size_t(i)]->getAllContactManifolds(manifolds);
    double least = HUGE_VAL;
    for (int k = 0; k < manifolds.size(); k++) {
        for (int c = 0; c < manifolds[k]->getNumContacts(); c++) {
            least = std::fmin(least, double(manifolds[k]->getContactPoint(c).getDistance()));
        }
    }
    return least;
}

void pairs_close(void* context)
{
    delete static_cast<World*>(context);
}

const Contender bullet = {"Bullet",      world_open,      world_detect, pairs_open,
                          pairs_collide, pairs_least_gap, pairs_close};

} // namespace

extern "C" const Contender* contender_bullet(void)
{
    return &bullet;
}
