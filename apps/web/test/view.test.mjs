// SPDX-License-Identifier: Apache-2.0
// The drawing in a real browser: pixels, draw calls, memory, picking and dragging. The expected places and colours
// come from the fixtures' positions, the palette, and geometry by hand.
import { check, equal, near, openPage, test } from './harness.mjs';

const SMALL = { viewport: { width: 480, height: 360 } };

async function withView(run, options = SMALL) {
    const { page, close } = await openPage('view-page', options);
    await page.waitForFunction('window.drawing');
    await run(page);
    await close();
}

// ---- solids and colours -------------------------------------------------------------------------------

test('view: a red box is red where worldToScreen says, and the picture is no blank', async () => {
    await withView(async (page) => {
        const seen = await page.evaluate(async () => {
            const { start, picture } = window.drawing;
            const view = start('showcase', { options: { contacts: false, forces: false, cones: false } });
            const image = await picture(),
                at = (p) => {
                    const { x, y } = view.worldToScreen(p);
                    return image.at(x, y);
                };
            const colours = new Set();
            for (let k = 0; k < image.data.length; k += 4) {
                colours.add(image.data[k] * 65536 + image.data[k + 1] * 256 + image.data[k + 2]);
            }
            return {
                top: at([0, 0.45, 0.2]),
                ground: at([-0.25, -0.6, 0]),
                sky: image.at(5, 5),
                colours: colours.size,
                lost: view.stage.renderer.getContext().isContextLost(),
            };
        });
        const [r, g, b] = seen.top;
        check(r > 150 && g < 60 && b < 60, `the top of the red box is red: ${seen.top}`);
        check(Math.max(...seen.ground) - Math.min(...seen.ground) < 20, `the ground is grey: ${seen.ground}`);
        check(seen.sky[2] >= seen.sky[0], `the sky is no body: ${seen.sky}`);
        check(seen.colours >= 100, `${seen.colours} colours`);
        check(!seen.lost, 'the context is alive');
    });
});

test('view: one box without extras is three draw calls, so nothing is drawn twice', async () => {
    await withView(async (page) => {
        const calls = await page.evaluate(() => {
            const { start, fixtures } = window.drawing,
                f = new fixtures.Fixture();
            f.floor();
            f.geom(f.body('box', [0, 0, 0.1]), 'box', [0.1, 0.1, 0.1]);
            const view = start(f, { options: { shadows: false } }),
                plain = view.stats();
            view.options({ shadows: true });
            view.draw();
            return { plain: plain.calls, triangles: plain.triangles, shadow: view.stats().calls };
        });
        equal(calls.plain, 3, 'sky, ground and box');
        equal(calls.triangles, 1 + 2 + 12, 'triangles of sky, ground and box');
        equal(calls.shadow, 4, 'and the shadow');
    });
});

test('view: 1,000 boxes with 3,000 contacts and everything shown need at most 30 draw calls', async () => {
    await withView(
        async (page) => {
            const { calls, all, counts } = await page.evaluate(() => {
                const view = window.drawing.start('crowd'),
                    { calls } = view.stats();
                view.options({
                    normals: true,
                    joints: true,
                    frames: true,
                    com: true,
                    inertia: true,
                    hulls: true,
                    paths: true,
                    labels: true,
                    sites: true,
                });
                view.select(7);
                view.draw();
                return {
                    calls,
                    all: view.stats().calls,
                    counts: [view.contacts.sides.count, view.contacts.marks.count],
                };
            });
            check(calls <= 30, `${calls} calls`);
            check(all <= 30, `${all} calls with everything`);
            equal(counts[0], 3000, 'cones');
            equal(counts[1], 3000, 'marks');
        },
        { viewport: { width: 240, height: 180 } },
    );
});

test('view: groups hide geoms, and a model that would be invisible is shown', async () => {
    await withView(async (page) => {
        const seen = await page.evaluate(async () => {
            const { start, picture, fixtures } = window.drawing,
                f = new fixtures.Fixture();
            f.floor();
            f.geom(f.body('a', [0, 0, 0.1]), 'box', [0.1, 0.1, 0.1], { rgba: [1, 0, 0, 1] });
            f.geom(f.body('b', [0.5, 0, 0.1]), 'box', [0.1, 0.1, 0.1], { rgba: [0, 0, 1, 1], group: 3 });
            const view = start(f, { options: { groups: [true, true, true, false, false, false] } });
            const a = view.worldToScreen([0, 0, 0.2]),
                b = view.worldToScreen([0.5, 0, 0.2]);
            const hidden = (await picture()).at(b.x, b.y);
            view.options({ groups: [false, true, true, true, false, false] });
            const image = await picture();
            const lone = new fixtures.Fixture();
            lone.geom(lone.body('c', [0, 0, 0]), 'box', [0.1, 0.1, 0.1], { group: 4 });
            const { groups } = start(lone).options({});
            return { hidden, shown: image.at(b.x, b.y), gone: image.at(a.x, a.y), groups };
        });
        check(!(seen.hidden[2] > seen.hidden[0] + 60), `group 3 is hidden: ${seen.hidden}`);
        check(seen.shown[2] > seen.shown[0] + 60, `group 3 is shown: ${seen.shown}`);
        check(!(seen.gone[0] > seen.gone[2] + 60), `group 0 is hidden: ${seen.gone}`);
        equal(seen.groups.join(), 'true,true,true,false,true,false', 'a body of group 4 is shown');
    });
});

test('view: walls around bodies are glass, a lone wall is not, and invisible geoms are not drawn', async () => {
    await withView(async (page) => {
        const seen = await page.evaluate(async () => {
            const { start, picture, fixtures } = window.drawing;
            const make = (walls) => {
                const f = new fixtures.Fixture();
                f.floor();
                f.geom(f.body('ball', [0, 0, 0.1]), 'sphere', [0.1], { rgba: [1, 0, 0, 1] });
                for (const [x, y] of walls) {
                    f.geom(0, 'box', [x ? 0.02 : 0.3, y ? 0.02 : 0.3, 0.2], { at: [x, y, 0.2, 1, 0, 0, 0] });
                }
                f.geom(f.body('ghost', [0, 0, 0.3]), 'box', [0.05, 0.05, 0.05], { rgba: [0, 1, 0, 0] });
                return f;
            };
            const colours = [];
            for (const walls of [
                [[0, -0.3]],
                [
                    [0, -0.3],
                    [0, 0.3],
                    [-0.3, 0],
                    [0.3, 0],
                ],
            ]) {
                const view = start(make(walls), { options: { shadows: false } });
                view.camera({ target: [0, 0, 0.1], distance: 3, azimuth: -90, elevation: 10 });
                const at = view.worldToScreen([0, 0, 0.1]),
                    above = view.worldToScreen([0, 0, 0.3]),
                    image = await picture();
                colours.push(image.at(at.x, at.y), image.at(above.x, above.y));
            }
            return colours;
        });
        check(seen[0][0] < seen[0][1] + 40, `a lone wall hides the ball: ${seen[0]}`);
        check(seen[2][0] > seen[2][1] + 60, `a container shows it: ${seen[2]}`);
        check(!(seen[3][1] > seen[3][0] + 30), `the invisible box is not green: ${seen[3]}`);
    });
});

test('view: a height field is drawn at its heights', async () => {
    await withView(async (page) => {
        const { point, flank } = await page.evaluate(() => {
            const { start, fixtures } = window.drawing;
            const f = new fixtures.Fixture();
            const data = Float64Array.from([0, 0, 0, 0, 0.5, 0, 0, 0, 0]);
            f.description.heights.push({ name: 'hill', columns: 3, rows: 3, size: [1, 0.8, 0.1], data });
            f.geom(0, 'heights', [1, 0.8, 0.1], { heights: 0 });
            const view = start(f);
            const at = (p) => {
                const { x, y } = view.worldToScreen(p);
                return view.pickAt(x, y)?.point;
            };
            return { point: at([0, 0, 0.499]), flank: at([0.5, 0, 0.25]) };
        });
        near(point[2], 0.5, 0.02, 'the top');
        near(flank[0], 0.5, 0.02, 'half the way down, x');
        near(flank[2], 0.25, 0.02, 'half the way down, z');
    });
});

// ---- contacts -----------------------------------------------------------------------------------------

// three contacts far from their bodies, one for each state with an impulse along the normal
const CONES = `(() => {
    const { fixtures } = window.drawing, f = new fixtures.Fixture({ formulation: 'stewart-trinkle', directions: 4 });
    f.floor();
    const [geom] = [0, -0.5, 0.5].map((x, k) => f.geom(f.body('box' + k, [x, 0.35, 0.1]), 'box', [0.1, 0.1, 0.1]));
    f.contact(0, geom, 1, [-0.4, 0, 0], { r: [0.2, 0, 0] });
    f.contact(0, geom, 2, [0, 0, 0], { r: [0.2, -0.1, 0], u: [0, 1, 0] });
    f.contact(0, geom, 3, [0.4, 0, 0], { r: [0.2, 0, 0] });
    return f;
})()`;

test('view: cones have the colour and the shape of their state', async () => {
    await withView(async (page) => {
        for (const theme of ['light', 'dark']) {
            const seen = await page.evaluate(
                async ([cones, theme]) => {
                    const { start, picture, colours, rgbOf, far } = window.drawing;
                    const view = start((0, eval)(cones), { theme }),
                        image = await picture(),
                        unit = view.arrowLength();
                    const at = (p) => {
                        const { x, y } = view.worldToScreen(p);
                        return image.at(x, y);
                    };
                    const colour = (state) => rgbOf(colours.stateColour(state, theme));
                    const middles = [
                        [-0.4, 0, 0.4 * unit],
                        [0, 0, 0],
                        [0.4, 0, 0.4 * unit],
                    ].map(at);
                    const { contacts } = view;
                    return {
                        far: middles.map((rgb, k) => far(rgb, colour(k + 1))),
                        sides: contacts.sides.count,
                        lids: contacts.lids.count,
                        lines: contacts.lines.count,
                        rims: contacts.rims.count,
                    };
                },
                [CONES, theme],
            );
            seen.far.forEach((far, k) => check(far < 30, `${theme}: state ${k + 1} has its colour (off by ${far})`));
            equal(seen.sides, 3, 'three cones');
            equal(seen.lids, 1, 'only sticking cones are closed');
            equal(seen.lines, 4, 'three impulses, and an arrow along the slip');
            // 4 rim and 4 side edges of each pyramid; the toothed rim has 24
            equal(seen.rims, 8 + 8 + 24, 'edges');
        }
    });
});

test('view: a cone is as high as its normal impulse, so that the tip of a slipping one is on its rim', async () => {
    await withView(async (page) => {
        const { matrix, tip, unit } = await page.evaluate((cones) => {
            const view = window.drawing.start((0, eval)(cones)),
                { sides, lines } = view.contacts;
            // the second contact is the slipping one; its impulse is the third line, behind the arrow along its slip
            return {
                matrix: [...sides.matrix.slice(16, 32)],
                tip: [...lines.array.slice(28, 34)],
                unit: view.arrowLength(),
            };
        }, CONES);
        const height = matrix[10],
            radius = matrix[0];
        near(radius, 0.5 * height, 1e-6, 'the cone opens with mu');
        near(tip[5], height, 1e-6, 'the tip is at the height of the rim');
        near(Math.abs(tip[3]), radius, 1e-6, 'and on the rim, because the friction is mu times the normal impulse');
        // the largest impulse, 0.2 sqrt(1.25), has the usual length
        near(Math.hypot(tip[3], tip[5]), unit, 1e-5 * unit, 'length of the largest impulse');
    });
});

test('view: sections are circles, inscribed or circumscribed polygons, or wedges', async () => {
    await withView(async (page) => {
        const sections = await page.evaluate(() =>
            ['coulomb', 'stewart-trinkle', 'peiret', 'planar'].map((formulation) =>
                window.drawing.sectionOf({
                    formulation,
                    directions: 6,
                    planar: formulation === 'planar' ? 'xy' : 'none',
                }),
            ),
        );
        const [circle, inscribed, circumscribed, wedge] = sections;
        check(!circle.polygon && circle.corners.length > 30, 'a circle has no edges');
        equal(inscribed.corners.length, 6, 'corners');
        inscribed.corners.forEach(([x, y]) => near(Math.hypot(x, y), 1, 1e-12, 'corners on the circle'));
        // the middle of a side of the circumscribed hexagon touches the circle: cos 30 / cos 30
        const [a, b] = circumscribed.corners;
        near(Math.hypot(0.5 * (a[0] + b[0]), 0.5 * (a[1] + b[1])), 1, 1e-12, 'sides touch the circle');
        near(Math.hypot(...a), 2 / Math.sqrt(3), 1e-12, 'corners outside of it');
        equal(JSON.stringify(wedge.corners), '[[1,0],[-1,0]]', 'a wedge');
    });
});

test('view: states differ for eyes without green cones, and by their marks', async () => {
    await withView(async (page) => {
        const { colours, marks } = await page.evaluate(() => {
            const { start, colours, rgbOf } = window.drawing,
                view = start('showcase');
            const kinds = view.contacts.marks;
            return {
                colours: ['light', 'dark'].map((theme) =>
                    [0, 1, 2, 3].map((s) => rgbOf(colours.stateColour(s, theme))),
                ),
                marks: Array.from({ length: kinds.count }, (_, k) => kinds.array[kinds.stride * k + 7]),
            };
        });
        // deuteranopia after Machado, Oliveira and Fernandes 2009, on linear colours
        const linear = (c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4);
        const rows = [
            [0.367322, 0.860646, -0.227968],
            [0.280085, 0.672501, 0.047413],
            [-0.01182, 0.04294, 0.968881],
        ];
        const seen = (rgb) =>
            rows.map((row) =>
                Math.cbrt(
                    Math.max(
                        0,
                        row.reduce((s, x, k) => s + x * linear(rgb[k]), 0),
                    ),
                ),
            );
        for (const theme of colours) {
            for (let i = 1; i < 4; i++) {
                for (let j = i + 1; j < 4; j++) {
                    const a = seen(theme[i]),
                        b = seen(theme[j]);
                    check(Math.hypot(...a.map((x, k) => x - b[k])) > 0.1, `states ${i} and ${j} differ`);
                }
            }
        }
        equal(marks.slice().sort().join(' '), '0 1 2 3', 'ring, square, triangle and star');
    });
});

test('view: a given scale of impulses holds', async () => {
    await withView(async (page) => {
        const lengths = await page.evaluate(
            (cones) =>
                [0.5, 1].map((forceScale) => {
                    const { array } = window.drawing.start((0, eval)(cones), { options: { forceScale } }).contacts
                        .lines;
                    return array[5] - array[2];
                }),
            CONES,
        );
        near(lengths[0], 0.5 * 0.2, 1e-6, '0.2 N s at 0.5 m per N s');
        near(lengths[1], 0.2, 1e-6, '0.2 N s at 1 m per N s');
    });
});

// ---- planar worlds --------------------------------------------------------------------------------------

test('view: planar worlds are seen along their normal, without perspective', async () => {
    await withView(async (page) => {
        const p = await page.evaluate(() => {
            const view = window.drawing.start('figure4'),
                at = (q) => view.worldToScreen(q);
            return {
                o: at([0, 0, 0]),
                x: at([1, 0, 0]),
                y: at([0, 1, 0]),
                deep: at([1, 0, 0.3]),
                orthographic: view.rig.camera.isOrthographicCamera === true,
            };
        });
        check(p.orthographic, 'the camera is orthographic');
        near(p.x.y, p.o.y, 1e-6, 'x is to the right');
        near(p.y.x, p.o.x, 1e-6, 'y is up');
        near(p.x.x - p.o.x, p.o.y - p.y.y, 1e-6, 'both have one scale');
        near(p.deep.x, p.x.x, 1e-6, 'depth does not move a point');
    });
});

test('view: the figure of Berard has its block, hatching below the floor only, rod, spring and pins', async () => {
    await withView(
        async (page) => {
            const seen = await page.evaluate(async () => {
                const { start, picture, rgbOf, far, colours } = window.drawing;
                const view = start('figure4', {
                    options: { contacts: false, forces: false, cones: false, labels: false, grid: false },
                });
                const image = await picture(),
                    at = (p) => {
                        const { x, y } = view.worldToScreen(p);
                        return image.at(x, y);
                    };
                const paper = rgbOf(colours.THEMES.light.paper);
                const strip = (dy) => {
                    // pixels that are not paper in a strip beside the block
                    const left = view.worldToScreen([-0.95, 0, 0]),
                        right = view.worldToScreen([-0.6, 0, 0]);
                    let n = 0;
                    for (let x = left.x; x < right.x; x++) {
                        n += far(image.at(x, left.y + dy), paper) > 30 ? 1 : 0;
                    }
                    return n / (right.x - left.x);
                };
                const order = colours.colourOrder(view.description.bodies, true);
                const a = Math.PI / 4,
                    fill = (body) => rgbOf(colours.bodyColour(order[body], colours.THEMES.light, true));
                let ink = 0;
                for (let s = 1.05; s < 1.55; s += 0.005) {
                    ink += far(at([Math.sin(a) * s, 0.25 - Math.cos(a) * s, 0]), paper) > 60 ? 1 : 0;
                }
                return {
                    block: far(at([-0.3, 0.4, 0]), fill(1)),
                    rod: far(at([0.3 * Math.sin(a), 0.25 - 0.3 * Math.cos(a), 0]), fill(2)),
                    below: strip(5),
                    above: strip(-6),
                    pin: far(at([0, 0.25, 0]), paper),
                    ink,
                };
            });
            near(seen.block, 0, 6, 'colour of the block');
            near(seen.rod, 0, 12, 'colour of the rod');
            check(seen.below > 0.08 && seen.below < 0.7, `hatching below the floor: ${seen.below}`);
            equal(seen.above, 0, 'nothing above it');
            check(seen.pin < 40, `a pin is white: ${seen.pin}`);
            check(seen.ink >= 10 && seen.ink <= 60, `the spring crosses its axis: ${seen.ink} of 100`);
        },
        { viewport: { width: 800, height: 600 } },
    );
});

test('view: belts have arrows along their velocity', async () => {
    await withView(async (page) => {
        const arrows = await page.evaluate(() => {
            const { start, fixtures } = window.drawing;
            const f = fixtures.figure4();
            f.description.geoms[0].belt = [-0.2, 0, 0];
            const { array, count, stride } = start(f).marks.notes;
            return Array.from({ length: count }, (_, k) => [...array.slice(stride * k, stride * k + 6)]);
        });
        check(arrows.length >= 3, `${arrows.length} arrows`);
        for (const [ax, ay, , bx, by] of arrows) {
            check(bx < ax, 'to the left');
            near(by, ay, 1e-6, 'along the floor');
            check(ay < 0, 'below its surface');
        }
    });
});

// ---- a second sim ---------------------------------------------------------------------------------------

test('view: a ghost differs, is joined to its body by a line, and leaves nothing behind', async () => {
    await withView(async (page) => {
        const seen = await page.evaluate(async () => {
            const { start, picture, fixtures, far } = window.drawing;
            const make = (x) => {
                const f = new fixtures.Fixture();
                f.floor();
                f.geom(f.body('box', [x, 0, 0.1]), 'box', [0.1, 0.1, 0.1]);
                f.geom(f.body('other', [0, 0.6, 0.1]), 'box', [0.1, 0.1, 0.1]);
                return f;
            };
            const view = start(make(0), { options: { shadows: false } }),
                place = view.worldToScreen([0.35, 0, 0.1]);
            const before = await picture(),
                ghost = make(0.35);
            view.loadOther(ghost.description);
            view.showOther(ghost.frame());
            const during = await picture(),
                lines = view.difference.lines.count;
            view.loadOther(null);
            const after = await picture();
            let same = 0;
            for (let k = 0; k < before.data.length; k++) {
                same += before.data[k] === after.data[k] ? 1 : 0;
            }
            return {
                moved: far(before.at(place.x, place.y), during.at(place.x, place.y)),
                lines,
                same: same / before.data.length,
            };
        });
        check(seen.moved > 25, `the ghost is seen: ${seen.moved}`);
        equal(seen.lines, 1, 'a line for the body that differs, none for the other');
        equal(seen.same, 1, 'the picture is as before');
    });
});

// ---- memory ---------------------------------------------------------------------------------------------

test('view: twenty loads leave no geometry, texture or program behind', async () => {
    await withView(
        async (page) => {
            const { first, last, programs } = await page.evaluate(() => {
                const { start, fixtures } = window.drawing,
                    view = start('showcase');
                const all = { labels: true, joints: true, frames: true, hulls: true, paths: true };
                const load = (name) => {
                    const f = fixtures[name]();
                    view.load(f.description);
                    view.options(all);
                    view.show(f.frame());
                    view.loadOther(f.description);
                    view.showOther(f.frame());
                    view.select(1);
                    view.draw();
                };
                const names = ['showcase', 'figure4'],
                    read = () => ({ ...view.stage.renderer.info.memory });
                names.forEach(load);
                const first = read(),
                    programs = [view.stage.renderer.info.programs.length];
                for (let k = 0; k < 10; k++) {
                    names.forEach(load);
                }
                programs.push(view.stage.renderer.info.programs.length);
                return { first, last: read(), programs };
            });
            check(first.geometries > 5, `${first.geometries} geometries`);
            equal(last.geometries, first.geometries, 'geometries');
            equal(last.textures, first.textures, 'textures');
            check(programs[1] <= programs[0] + 2, `programs ${programs}`);
        },
        { viewport: { width: 240, height: 180 } },
    );
});

test('view: showing frames makes no lasting objects', async () => {
    await withView(
        async (page) => {
            const growth = await page.evaluate(() => {
                const { start } = window.drawing,
                    view = start('crowd', { args: [60], options: { shadows: false } }),
                    frame = window.fixture.frame();
                const run = (n) => {
                    for (let k = 0; k < n; k++) {
                        frame[0] += 0.01;
                        view.show(frame);
                        view.draw();
                    }
                    window.gc?.();
                    return performance.memory.usedJSHeapSize;
                };
                run(30);
                const before = run(10);
                return (run(120) - before) / 1e6;
            });
            check(growth < 1.5, `the heap grew by ${growth.toFixed(2)} MB in 120 frames`);
        },
        { viewport: { width: 160, height: 120 } },
    );
});

// ---- picking, dragging, camera ----------------------------------------------------------------------------

test('view: picking agrees with the drawn pixels', async () => {
    await withView(async (page) => {
        const { agree, compared, bodies } = await page.evaluate(async () => {
            const { start, picture, fixtures, hueOf } = window.drawing,
                f = fixtures.showcase();
            const hue = (k) => [(0 + k * 45) % 360, 1, 1];
            f.contacts = [];
            f.description.geoms.forEach((geom) => {
                const [h] = hue(geom.body),
                    c = (n) => {
                        const k = (n + h / 60) % 6;
                        return 1 - Math.max(0, Math.min(k, 4 - k, 1));
                    };
                geom.rgba = geom.kind === 'plane' ? null : [c(5), c(3), c(1), 1];
            });
            const view = start(f, { options: { shadows: false } }),
                image = await picture();
            const bodyAt = (x, y) => {
                const rgb = image.at(x, y),
                    span = Math.max(...rgb) - Math.min(...rgb);
                return span < 60 ? -1 : 1 + (Math.round(((hueOf(rgb) - 45 + 360) % 360) / 45) % 8);
            };
            let agree = 0,
                compared = 0;
            const bodies = new Set();
            for (let y = 4; y < 356; y += 14) {
                for (let x = 4; x < 476; x += 14) {
                    const body = bodyAt(x, y);
                    // away from edges
                    if (
                        [
                            [2, 0],
                            [-2, 0],
                            [0, 2],
                            [0, -2],
                        ].every(([dx, dy]) => bodyAt(x + dx, y + dy) === body)
                    ) {
                        const hit = view.pickAt(x + 0.5, y + 0.5),
                            picked = hit && hit.body > 0 ? hit.body : -1;
                        compared++;
                        agree += picked === body ? 1 : 0;
                        bodies.add(body);
                    }
                }
            }
            return { agree, compared, bodies: bodies.size };
        });
        check(compared > 500, `${compared} pixels compared`);
        equal(bodies, 9, 'eight bodies and the ground');
        check(agree >= 0.998 * compared, `${agree} of ${compared} agree`);
    });
});

async function listen(page) {
    await page.evaluate(() => {
        const log = (window.log = { holds: [], releases: 0, selected: [] });
        window.view.onHold = (hold) => log.holds.push(hold);
        window.view.onRelease = () => log.releases++;
        window.view.onSelect = (...what) => log.selected.push(what);
    });
}

test('view: a drag moves its target in the plane that faces the camera, under the pointer', async () => {
    await withView(async (page) => {
        const from = await page.evaluate(() => {
            const view = window.drawing.start('showcase');
            return view.worldToScreen([-0.2, 0, 0.2]);
        });
        await listen(page);
        await page.keyboard.down('Control');
        await page.mouse.move(from.x, from.y);
        await page.mouse.down();
        await page.mouse.move(from.x + 40, from.y - 60, { steps: 4 });
        const { holds, spring } = await page.evaluate(() => {
            window.view.draw();
            return { holds: window.log.holds, spring: window.view.marks.drag.count };
        });
        await page.mouse.up();
        await page.keyboard.up('Control');
        const end = await page.evaluate(() => {
            const { view, log } = window,
                last = log.holds.at(-1);
            const hit = view.pickAt(...Object.values(view.worldToScreen([-0.2, 0, 0.2])).slice(0, 2));
            view.draw();
            return {
                toEye: view.rig.toEye(),
                place: view.worldToScreen(last.target),
                releases: log.releases,
                hit,
                spring: view.marks.drag.count,
                azimuth: view.rig.azimuth,
            };
        });
        check(holds.length >= 4, `${holds.length} targets`);
        equal(holds[0].body, 2, 'the box is held');
        // the box is turned by 0.4 about z and its middle is at (-0.2, 0, 0.1)
        const [x, y, z] = holds[0].point,
            c = Math.cos(0.4),
            s = Math.sin(0.4);
        near(-0.2 + c * x - s * y, holds[0].target[0], 1e-9, 'the held point, x');
        near(s * x + c * y, holds[0].target[1], 1e-9, 'the held point, y');
        near(0.1 + z, holds[0].target[2], 1e-9, 'the held point, z');
        for (const { target } of holds) {
            const off = target.reduce((sum, t, k) => sum + (t - holds[0].target[k]) * end.toEye[k], 0);
            near(off, 0, 1e-9, 'in the plane that faces the camera');
        }
        near(end.place.x, from.x + 40, 1, 'the target is under the pointer');
        near(end.place.y, from.y - 60, 1, 'the target is under the pointer');
        check(spring > 20, 'the spring is drawn');
        equal(end.spring, 0, 'and gone after the drag');
        equal(end.releases, 1, 'one release');
        equal(end.azimuth, -56, 'the camera did not turn');
    });
});

test('view: with Shift the target stays level; in planar worlds it stays in the plane', async () => {
    await withView(async (page) => {
        const from = await page.evaluate(() =>
            window.drawing.start('showcase', { options: { drag: true } }).worldToScreen([-0.2, 0, 0.2]),
        );
        await listen(page);
        await page.mouse.move(from.x, from.y);
        await page.mouse.down();
        await page.keyboard.down('Shift');
        await page.mouse.move(from.x + 30, from.y + 10, { steps: 2 });
        await page.keyboard.up('Shift');
        await page.mouse.up();
        const level = await page.evaluate(() => window.log.holds.map((hold) => hold.target[2]));
        check(level.length >= 3, 'drag mode needs no Ctrl');
        level.forEach((z) => near(z, level[0], 1e-9, 'the height stays'));

        const rod = await page.evaluate(() =>
            window.drawing.start('figure4', { options: { drag: true } }).worldToScreen([0.3, -0.05, 0]),
        );
        await listen(page);
        await page.mouse.move(rod.x, rod.y);
        await page.mouse.down();
        await page.mouse.move(rod.x + 50, rod.y + 20, { steps: 2 });
        await page.mouse.up();
        const holds = await page.evaluate(() => window.log.holds);
        equal(holds[0].body, 2, 'a rod without geoms is held');
        near(holds.at(-1).target[2], 0, 1e-9, 'the target is in the plane');
        near(Math.hypot(holds[0].point[0]), 0, 0.03, 'on the rod, along its y');
    });
});

test('view: the mouse turns, moves and zooms the camera; clicks select', async () => {
    await withView(async (page) => {
        const box = await page.evaluate(() => window.drawing.start('showcase').worldToScreen([0, 0.45, 0.2]));
        await listen(page);
        await page.mouse.click(box.x, box.y);
        await page.mouse.click(3, 3);
        const selected = await page.evaluate(() => window.log.selected);
        equal(selected[0][0], 6, 'the red box');
        near(selected[0][2][2], 0.2, 1e-3, 'at its top');
        equal(selected[1][0], -1, 'the sky is nothing');

        await page.mouse.move(box.x, box.y);
        const before = await page.evaluate(() => window.view.camera());
        await page.mouse.wheel(0, -300);
        await page.waitForFunction((d) => window.view.camera().distance < d, before.distance);
        const zoomed = await page.evaluate(() => ({
            place: window.view.worldToScreen([0, 0.45, 0.2]),
            state: window.view.camera(),
        }));
        near(zoomed.place.x, box.x, 8, 'the point under the pointer stays');
        near(zoomed.place.y, box.y, 8, 'the point under the pointer stays');

        await page.mouse.down();
        await page.mouse.move(box.x + 60, box.y + 10, { steps: 3 });
        await page.mouse.up();
        const turned = await page.evaluate(() => ({
            ...window.view.camera(),
            holds: window.log.holds.length,
            n: window.log.selected.length,
        }));
        check(turned.azimuth !== zoomed.state.azimuth, 'a drag turns');
        equal(turned.holds, 0, 'and holds nothing');
        equal(turned.n, 2, 'and selects nothing');
        await page.mouse.down({ button: 'right' });
        await page.mouse.move(box.x, box.y, { steps: 3 });
        await page.mouse.up({ button: 'right' });
        const moved = await page.evaluate(() => window.view.camera());
        equal(moved.azimuth, turned.azimuth, 'the right button does not turn');
        check(Math.hypot(...moved.target.map((t, k) => t - turned.target[k])) > 0.01, 'it moves');

        const same = await page.evaluate((state) => {
            const view = window.drawing.start('showcase');
            view.camera(state);
            return view.camera();
        }, moved);
        equal(JSON.stringify(same), JSON.stringify(moved), 'a camera state comes back');
    });
});

test('view: a finger on a body pulls it, elsewhere it turns; two fingers zoom', async () => {
    await withView(async (page) => {
        const seen = await page.evaluate(() => {
            const { start, canvas } = window.drawing,
                view = start('showcase');
            const log = { holds: 0, releases: 0 };
            view.onHold = () => log.holds++;
            view.onRelease = () => log.releases++;
            const send = (type, pointerId, x, y) =>
                canvas.dispatchEvent(
                    new PointerEvent(type, {
                        pointerId,
                        clientX: x,
                        clientY: y,
                        pointerType: 'touch',
                        button: 0,
                        bubbles: true,
                    }),
                );
            const { x, y } = view.worldToScreen([0, 0.45, 0.15]);
            send('pointerdown', 11, x, y);
            send('pointermove', 11, x + 20, y);
            send('pointerup', 11, x + 20, y);
            const pulled = { ...log },
                first = view.camera();
            send('pointerdown', 12, 20, 330);
            send('pointermove', 12, 60, 330);
            const turned = view.camera();
            send('pointerdown', 13, 200, 330);
            send('pointermove', 13, 400, 330);
            const zoomed = view.camera();
            send('pointerup', 13, 400, 330);
            send('pointerup', 12, 60, 330);
            return { pulled, first, turned, zoomed, log };
        });
        check(seen.pulled.holds >= 2, 'the finger pulls');
        equal(seen.pulled.releases, 1, 'and lets go');
        check(seen.turned.azimuth !== seen.first.azimuth, 'beside bodies it turns');
        near(seen.zoomed.distance / seen.turned.distance, 140 / 340, 1e-6, 'fingers apart: nearer in that ratio');
        equal(seen.log.holds, seen.pulled.holds, 'no hold by two fingers');
    });
});

for (const [width, height] of [
    [1280, 800],
    [390, 844],
]) {
    test(`view: everything that moves is in a picture of ${width} x ${height}`, async () => {
        await withView(
            async (page) => {
                for (const name of ['showcase', 'figure4']) {
                    const { outside, covered } = await page.evaluate((name) => {
                        const view = window.drawing.start(name),
                            { blocks, description } = view;
                        let outside = 0,
                            low = Infinity,
                            high = -Infinity;
                        for (let b = 1; b < description.bodies.length; b++) {
                            const c = blocks.body(b),
                                p = view.worldToScreen([...blocks.data.subarray(c, c + 3)]);
                            outside += p.visible ? 0 : 1;
                            low = Math.min(low, p.x);
                            high = Math.max(high, p.x);
                        }
                        return { outside, covered: (high - low) / innerWidth };
                    }, name);
                    equal(outside, 0, `bodies of ${name} outside`);
                    check(covered > 0.3, `${name} fills ${covered} of the width`);
                }
            },
            { viewport: { width, height } },
        );
    });
}

test('view: it draws on demand only', async () => {
    await withView(async (page) => {
        const { idle, shown } = await page.evaluate(async () => {
            const view = window.drawing.start('showcase'),
                wait = (ms) => new Promise((done) => setTimeout(done, ms));
            await wait(500);
            const first = view.stats().frames;
            await wait(500);
            const idle = view.stats().frames - first;
            view.show(window.fixture.frame());
            view.show(window.fixture.frame());
            while (view.stats().frames === first) {
                await wait(20);
            }
            return { idle, shown: view.stats().frames - first };
        });
        equal(idle, 0, 'nothing changed, nothing drawn');
        equal(shown, 1, 'two frames before a picture are one picture');
    });
});

// ---- extras ------------------------------------------------------------------------------------------------

test('view: paths follow the bodies and are cut when time goes back', async () => {
    await withView(async (page) => {
        const counts = await page.evaluate(() => {
            const { start, fixtures } = window.drawing,
                f = new fixtures.Fixture();
            f.geom(f.body('ball', [0, 0, 0]), 'sphere', [0.1]);
            const view = start(f, { options: { paths: true } }),
                counts = [];
            const go = (time) => {
                f.time = time;
                f.pose[1][0] = time;
                view.show(f.frame());
                view.draw();
                counts.push(view.paths.lines.count);
            };
            [0.1, 0.2, 0.3, 0.1].forEach(go);
            view.options({ paths: false });
            view.draw();
            return [...counts, view.paths.lines.count];
        });
        equal(counts.join(' '), '2 3 4 2 0', 'pieces of the path');
    });
});

test('view: tendons are drawn along their points, and not between branches', async () => {
    await withView(async (page) => {
        const lines = await page.evaluate(() => {
            const { start, fixtures } = window.drawing;
            const f = fixtures.showcase();
            const rows = [
                [0, 0],
                [0, 1],
                [0, 2],
                [-1, 3],
                [0, 3],
                [0, 4],
                [1, 4],
                [1, 5],
            ];
            f.tendonPoints = rows.map(([tendon, x]) => [tendon, 0.1 * x, 0, 0.5]);
            const { array, count, stride } = start(f).marks.solid;
            return Array.from({ length: count }, (_, k) => [array[stride * k], array[stride * k + 3]]);
        });
        const ends = lines.map(([a, b]) => `${Math.round(10 * a)}-${Math.round(10 * b)}`).join(' ');
        equal(ends, '0-1 1-2 3-4 4-5', 'pieces of two tendons');
    });
});

test('view: the spring of a hold in a frame is drawn from its point to its target', async () => {
    await withView(async (page) => {
        const seen = await page.evaluate(async () => {
            const { start, picture, fixtures, rgbOf, far, colours } = window.drawing,
                f = fixtures.showcase();
            f.hold = { point: [-0.2, 0, 0.2], target: [-0.2, 0, 0.6] };
            const view = start(f),
                at = view.worldToScreen([-0.2, 0, 0.2]);
            return {
                far: far((await picture()).at(at.x, at.y), rgbOf(colours.THEMES.light.hold)),
                lines: view.marks.drag.count,
            };
        });
        check(seen.far < 25, `the held point has the colour of holds: ${seen.far}`);
        check(seen.lines > 20, `${seen.lines} lines`);
    });
});

test('view: dark and light, selection, picture and video', async () => {
    await withView(async (page) => {
        const seen = await page.evaluate(async () => {
            const { start, picture, far, rgbOf, colours, canvas } = window.drawing;
            const view = start('showcase'),
                light = (await picture()).at(4, 4);
            view.options({ theme: 'dark' });
            const plain = await picture(),
                dark = plain.at(4, 4);
            view.select(6);
            const chosen = await picture(),
                accent = rgbOf(colours.THEMES.dark.select);
            let edge = 0;
            for (let y = 0; y < 360; y++) {
                for (let x = 0; x < 480; x++) {
                    edge += far(chosen.at(x, y), accent) < 40 && far(plain.at(x, y), accent) > 60 ? 1 : 0;
                }
            }
            view.select(-1);
            const again = await picture();
            let same = true;
            for (let k = 0; k < plain.data.length; k++) {
                same &&= plain.data[k] === again.data[k];
            }
            const blob = await view.screenshot(),
                stream = view.stream(10);
            const video = stream.getVideoTracks().length;
            stream.getTracks().forEach((track) => track.stop());
            return { light, dark, edge, same, type: blob.type, width: canvas.width, video };
        });
        check(Math.min(...seen.light) > 180, `light: ${seen.light}`);
        check(Math.max(...seen.dark) < 60, `dark: ${seen.dark}`);
        check(seen.edge > 60, `the outline has ${seen.edge} pixels`);
        check(seen.same, 'the outline goes away');
        equal(seen.type, 'image/png', 'type of the picture');
        equal(seen.video, 1, 'a video track');
    });
});

// ---- with the engine ---------------------------------------------------------------------------------------

test('view: scenes of the engine are drawn, with rods of maximal coordinates as bars', async () => {
    await withView(async (page) => {
        const { readFileSync } = await import('node:fs');
        const { join } = await import('node:path');
        const { root } = await import('./harness.mjs');
        const text = readFileSync(join(root, 'scenes/seeds/berard-4.1.xml'), 'utf8');
        const seen = await page.evaluate(async (text) => {
            const { Engine, View, canvas } = window.drawing,
                results = {};
            for (const what of [{ scene: 'stack:5' }, { name: 'berard-4.1.xml', text }]) {
                const view = new View(canvas);
                let frames = 0;
                const engine = new Engine({
                    onFrame: (frame) => {
                        frames++;
                        view.show(frame);
                    },
                });
                view.load(await engine.load(what));
                await engine.step(2);
                while (!view.blocks.present || !(view.blocks.data[1] >= 2)) {
                    await new Promise((done) => setTimeout(done, 20));
                }
                view.draw();
                results[what.scene ?? what.name] = {
                    contacts: view.stats().contacts,
                    marks: view.contacts.marks.count,
                    strokes: view.flat ? view.bodies.strokes.count : 0,
                    pins: view.marks.signs.count,
                    frames,
                };
                view.dispose();
                await engine.close();
            }
            return results;
        }, text);
        equal(seen['stack:5'].contacts, 20, 'four contacts below each box');
        equal(seen['stack:5'].marks, 20, 'marks');
        equal(seen['berard-4.1.xml'].strokes, 4, 'two rods, edge and inside');
        equal(seen['berard-4.1.xml'].pins, 2, 'two pins');
    });
});
