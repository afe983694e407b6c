// SPDX-License-Identifier: Apache-2.0
// Colours of the drawing and of the plots. States have the colours of Okabe and Ito, which colour-blind
// people tell apart; every state also has a shape of its own, so that no information is in colour alone.

export const OKABE_ITO = {
    black: '#000000',
    orange: '#e69f00',
    sky: '#56b4e9',
    green: '#009e73',
    yellow: '#f0e442',
    blue: '#0072b2',
    vermilion: '#d55e00',
    purple: '#cc79a7',
};

/// Names of contact states in the order of utContactState.
export const STATES = ['open', 'stick', 'slip', 'impact'];

const states = {
    light: ['#8a949a', OKABE_ITO.blue, OKABE_ITO.orange, OKABE_ITO.vermilion],
    // the blue is hard to see on a dark ground
    dark: ['#8f9aa1', OKABE_ITO.sky, OKABE_ITO.orange, '#f0641e'],
};

/// @return the colour of a contact state (0 open, 1 stick, 2 slip, 3 impact)
export function stateColour(state, theme = 'light') {
    return states[theme === 'dark' ? 'dark' : 'light'][state] ?? states.light[0];
}

/// Colours of curves in plots, the first ones most different.
export const SERIES = {
    light: ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9', '#6b767d', '#000000'],
    dark: ['#56b4e9', '#f0641e', '#2fc59a', '#e19fc3', '#f0b429', '#7fa8d6', '#9aa5ac', '#ffffff'],
};

/// Colours of bodies whose model gives none, by the order of the moving bodies.
const BODIES = ['#86aed6', '#e0ad6a', '#8fc38a', '#c394c4', '#ddc65c', '#76bcc2', '#dc937c', '#a9ac98'];
const FIGURES = {
    light: ['#c5d7e8', '#eed6b2', '#cbe0c4', '#e2cdde', '#f2e5a8', '#bedddd', '#e8c8bc', '#d6d6cc'],
    dark: ['#3d5a78', '#7a5f38', '#466842', '#6a4a68', '#6b6230', '#3a6466', '#74503f', '#55564c'],
};

export const THEMES = {
    light: {
        name: 'light',
        skyTop: '#dfe8f0',
        skyLow: '#f7f9fa',
        ground: '#e9edef',
        groundOther: '#dfe5e8',
        grid: '#b9c4ca',
        paper: '#ffffff',
        paperGrid: '#eceff1',
        ink: '#2f3a41',
        faint: '#8a979f',
        halo: '#ffffff',
        fixed: '#b9c2c7',
        fixedFigure: '#d9dee1',
        ghost: OKABE_ITO.green,
        difference: '#00785a',
        select: OKABE_ITO.purple,
        hold: '#a6387a',
        path: '#7d6f57',
        axis: '#4b5a8a',
        text: '#1d262b',
        red: '#c8432f',
        green: '#2d8a4e',
        blue: '#2b62c4',
        belt: '#8a5a2b',
        sunlight: 2.1,
        skylight: 1.35,
        bounce: '#cfd3d0',
    },
    dark: {
        name: 'dark',
        skyTop: '#0c1116',
        skyLow: '#1b242c',
        ground: '#222c34',
        groundOther: '#1d262d',
        grid: '#42515c',
        paper: '#161c21',
        paperGrid: '#222a31',
        ink: '#cfd8dd',
        faint: '#7d8a92',
        halo: '#10161a',
        fixed: '#76828a',
        fixedFigure: '#39444c',
        ghost: '#2fc59a',
        difference: '#5be0b8',
        select: '#ff9fd2',
        hold: '#ff8ccb',
        path: '#b8a684',
        axis: '#9fb0e8',
        text: '#eef2f4',
        red: '#ef6f5a',
        green: '#5cc47f',
        blue: '#6f9dff',
        belt: '#d59a5f',
        sunlight: 1.9,
        skylight: 0.95,
        bounce: '#4a5158',
    },
};

export function themeOf(name) {
    return name === 'dark' ? THEMES.dark : THEMES.light;
}

// MJCF's default colour, which says that the model gives none
function isDefault(rgba) {
    return !rgba || (rgba[0] === 0.5 && rgba[1] === 0.5 && rgba[2] === 0.5);
}

export function isMoving(body) {
    return !body.fixed || body.mocap === true;
}

/// What colours are chosen by: in planar worlds the number of a moving body; in space the number of the tree that the
/// body belongs to, so that a robot has one colour, and whether it is an odd number of joints away from the root.
/// @return for each body {number, odd}; number -1: fixed
export function colourOrder(bodies, flat) {
    const order = [];
    let count = 0;
    bodies.forEach((body, index) => {
        const parent = order[body.parent];
        if (index === 0 || !isMoving(body)) {
            order.push({ number: -1, odd: false });
        } else if (flat || !parent || parent.number < 0) {
            order.push({ number: count++, odd: false });
        } else {
            order.push({ number: parent.number, odd: body.joints > 0 ? !parent.odd : parent.odd });
        }
    });
    return order;
}

/// The colour of a geom: that of the model, or a good one.
/// @param order as colourOrder returns it @return [css or [r, g, b], opacity]
export function geomColour(geom, order, theme, flat) {
    const { body, rgba } = geom;
    const opacity = rgba ? (rgba[3] ?? 1) : 1;
    return isDefault(rgba) ? [bodyColour(order[body], theme, flat), opacity] : [rgba.slice(0, 3), opacity];
}

function paler(css, part) {
    const channel = (k) => {
        const c = parseInt(css.slice(1 + 2 * k, 3 + 2 * k), 16);
        return Math.round(c + part * (255 - c))
            .toString(16)
            .padStart(2, '0');
    };
    return `#${channel(0)}${channel(1)}${channel(2)}`;
}

/// The colour of a body, by its place in the order.
export function bodyColour({ number, odd }, theme, flat) {
    if (number < 0) {
        return flat ? theme.fixedFigure : theme.fixed;
    }
    const list = flat ? FIGURES[theme.name] : BODIES,
        css = list[number % list.length];
    return odd ? paler(css, 0.42) : css;
}
