/** The page of the replay player. */

import { KINDS } from "./marks.js";
import { SPEEDS } from "./playback.js";
import { SHORTCUTS } from "./shortcuts.js";

const KEYS = SHORTCUTS.map(([caps, use]) => `<dt>${caps.split(" ").map((cap) => `<kbd>${cap}</kbd>`).join(" ")}</dt><dd>${use}</dd>`);
const MARKS = Object.entries({ ...KINDS, idle: "nothing was done for longer than the idle time" })
  .map(([kind, meaning]) => `<dt><span class="marks"><i class="${kind}"></i></span></dt><dd>${meaning}</dd>`);
const speeds = SPEEDS.map((speed) => `<option value="${speed}"${speed === 1 ? " selected" : ""}>${speed}×</option>`);

/** @param {{level: string, action: string}} words  what levels and actions are called */
export function layoutOf({ level, action }) {
  return `
  <replay-task role="region" aria-label="Task" tabindex="0" hidden></replay-task>
  <div class="screens"></div>
  <div class="transport">
    <replay-bar></replay-bar>
    <div class="buttons">
      <button type="button" data-unit="level" data-count="-1" title="Previous ${level} ([)" aria-label="Previous ${level}">|◀</button>
      <button type="button" data-unit="action" data-count="-1" title="Previous ${action} (←)" aria-label="Previous ${action}">◀</button>
      <button type="button" class="play" title="Play or pause (space)">Play</button>
      <button type="button" data-unit="action" data-count="1" title="Next ${action} (→)" aria-label="Next ${action}">▶</button>
      <button type="button" data-unit="level" data-count="1" title="Next ${level} (])" aria-label="Next ${level}">▶|</button>
      <button type="button" data-unit="frame" data-count="-1" title="Previous frame (,)" aria-label="Previous frame">‹</button>
      <button type="button" data-unit="frame" data-count="1" title="Next frame (.)" aria-label="Next frame">›</button>
      <label>Speed <select name="speed" title="Slower or faster (↓ ↑)">${speeds.join("")}</select></label>
      <button type="button" class="link" title="Copy a link to this moment (l)">Copy link</button>
      <button type="button" class="compare" title="View side by side with another attempt (v)">Compare</button>
      <details class="more"><summary>More</summary><div>
        <label>Clock <select name="clock" title="Change the clock (t)">
          <option value="time">real time</option><option value="action">per ${action}</option>
        </select></label>
        <span><label><input type="checkbox" name="skip" title="Skip idle time (i)"> Skip idle over</label>
          <label><input type="number" name="idle" min="1" max="600" step="1" value="10" aria-label="Idle seconds"> s</label></span>
        <label class="heat-choice">Heat map <select name="heat" title="Change the heat map (h)">
          <option value="">none</option><option value="clicks">clicks</option>
          <option value="dwell">dwell</option><option value="changes">changed cells</option>
        </select></label>
        <button type="button" class="collect" title="Add to a collection, from this moment (p)">Collect</button>
      </div></details>
      <button type="button" class="keys" title="Keys and marks (?)" aria-label="Keys and marks">?</button>
    </div>
    <replay-compare></replay-compare>
    <div class="progress-row"><p class="moment-line"><output></output> <time></time> <span class="message" role="status"></span></p>
      <p class="levels"><span>${capital(level)}s</span></p></div>
  </div>
  <div class="side"><replay-progress></replay-progress>
    <replay-log tabindex="0" role="region" aria-label="${capital(action)}s and events"></replay-log>
    <replay-comments role="region" aria-label="Comments"></replay-comments></div>
  <replay-collect></replay-collect>
  <dialog class="help" aria-label="Keys and marks"><div class="columns">
      <section><h2>Keys</h2><dl class="facts">${KEYS.join("")}</dl></section>
      <section><h2>Marks on the bar</h2><dl class="facts">${MARKS.join("")}</dl></section></div>
    <form method="dialog"><button>Close</button> <a href="/staff/help/">All terms</a></form></dialog>`;
}

function capital(/** @type {string} */ word) {
  return word[0].toUpperCase() + word.slice(1);
}
