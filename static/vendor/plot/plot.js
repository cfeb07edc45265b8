// Observable Plot and d3 as one module. Their bundles set globals; whoever draws imports them from here.

import "../d3/d3.min.js";
import "./plot.umd.min.js";

export const { Plot, d3 } = globalThis;
