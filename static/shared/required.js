/**
 * The element that a page must have; the template that lacks it is at fault.
 * @template {Element} Kind
 * @param {ParentNode} parent
 * @param {string} selector
 * @param {new () => Kind} kind  such as HTMLButtonElement
 * @returns {Kind}
 */
export function required(parent, selector, kind) {
  const found = parent.querySelector(selector);
  if (!(found instanceof kind)) throw new TypeError(`this page has no ${kind.name} ${selector}`);
  return found;
}
