// The types of plot.js, from the packages that it was bundled from (package.json, for type checking only).

import * as PlotPackage from "@observablehq/plot";
import * as d3Package from "d3";

export const Plot: typeof PlotPackage;
export const d3: typeof d3Package;
