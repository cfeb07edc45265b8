/** Every staff page. */

import "./local-times.js";
import "./sortable-table.js";
import "./link-buttons.js";
import "./help.js";
import "./search.js";
import "./page-filters.js";
import "./submit-once.js";
import "./refused-text.js";
import "../shared/fresh-token.js";
