/** How each kind of figure is drawn. Loaded once there is something to draw, because Plot and d3 come with it. */

import { draw as bars } from "./kinds/bars.js";
import { draw as funnel } from "./kinds/funnel.js";
import { draw as heatmap } from "./kinds/heatmap.js";
import { draw as histogram } from "./kinds/histogram.js";
import { draw as progression } from "./kinds/progression.js";
import { draw as scatter } from "./kinds/scatter.js";
import { draw as states } from "./kinds/states.js";
import { draw as strip } from "./kinds/strip.js";
import { draw as incidence } from "./kinds/incidence.js";

/** @import { Space } from "./types" */

/** @type {Readonly<Record<string, (figure: any, space: Space) => SVGSVGElement>>} */
export const DRAWINGS = Object.freeze({ bars, funnel, heatmap, histogram, progression, scatter, states, strip, incidence });
