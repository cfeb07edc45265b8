/** The parts of the replay player. */

export const SPEEDS = [0.25, 0.5, 1, 2, 4, 8, 16];

/** The player's parts by name. */
export const PARTS = Object.freeze({
  screen: "replay-screen", bar: "replay-bar", progress: "replay-progress", play: ".play",
  speed: "[name=speed]", pace: "[name=clock]", skip: "[name=skip]", idle: "[name=idle]", heat: "[name=heat]",
  where: "output", wall: "time", said: ".said", log: "replay-log", comments: "replay-comments",
  collect: "replay-collect", compare: "replay-compare", help: "replay-help",
});

const speeds = SPEEDS.map((speed) => `<option value="${speed}"${speed === 1 ? " selected" : ""}>${speed}×</option>`);

export const LAYOUT = `
  <div class="screens"><replay-screen></replay-screen></div>
  <div class="transport">
    <replay-bar></replay-bar>
    <div class="buttons">
      <button type="button" data-step="level:-1" title="Previous level ([)" aria-label="Previous level">|◀</button>
      <button type="button" data-step="action:-1" title="Previous action (←)" aria-label="Previous action">◀</button>
      <button type="button" class="play" title="Play or pause (space)">Play</button>
      <button type="button" data-step="action:1" title="Next action (→)" aria-label="Next action">▶</button>
      <button type="button" data-step="level:1" title="Next level (])" aria-label="Next level">▶|</button>
      <button type="button" data-step="frame:-1" title="Previous frame (,)" aria-label="Previous frame">‹</button>
      <button type="button" data-step="frame:1" title="Next frame (.)" aria-label="Next frame">›</button>
      <label>Speed <select name="speed" title="Slower or faster (↓ ↑)">${speeds.join("")}</select></label>
      <label>Clock <select name="clock" title="Change the clock (t)">
        <option value="time">real time</option><option value="action">per action</option>
      </select></label>
      <label><input type="checkbox" name="skip" title="Skip idle time (i)"> Skip idle over</label>
      <label><input type="number" name="idle" min="1" max="600" step="1" value="10" aria-label="Idle seconds"> s</label>
      <label>Heat map <select name="heat" title="Change the heat map (h)">
        <option value="">none</option><option value="clicks">clicks</option>
        <option value="dwell">dwell</option><option value="changes">changed cells</option>
      </select></label>
      <button type="button" class="link" title="Copy a link to this moment (l)">Copy link</button>
      <button type="button" class="collect" title="Put into a collection, from this moment (p)">Collect</button>
      <button type="button" class="compare" title="View side by side with another attempt (v)">Compare</button>
      <button type="button" class="keys" title="Keys and marks (?)" aria-label="Keys and marks">?</button>
    </div>
    <replay-compare></replay-compare>
    <p class="where"><output></output> <time></time> <span class="said" role="status"></span></p>
    <div class="course"><p class="levels"><span>Levels</span></p><replay-progress></replay-progress></div>
  </div>
  <div class="side"><replay-find></replay-find><replay-log tabindex="0" role="region" aria-label="Actions and events"></replay-log>
    <replay-comments role="region" aria-label="Comments"></replay-comments></div>
  <replay-collect></replay-collect>
  <replay-help></replay-help>`;
