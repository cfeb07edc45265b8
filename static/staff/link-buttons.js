// Space presses a link that is announced as a button, as it presses buttons.

document.addEventListener("keydown", (event) => {
  if (event.key !== " " || event.repeat || event.ctrlKey || event.metaKey || event.altKey || !(event.target instanceof Element)) return;
  const link = event.target.closest('a[role="button"]');
  if (!(link instanceof HTMLAnchorElement)) return;
  event.preventDefault();
  event.stopPropagation();
  link.click();
}, true);
