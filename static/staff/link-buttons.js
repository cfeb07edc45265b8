// A link that is announced as a button is pressed by Space too, as buttons are.

document.addEventListener("keydown", (event) => {
  if (event.key !== " " || event.repeat || event.ctrlKey || event.metaKey || event.altKey) return;
  const link = event.target.closest('a[role="button"]');
  if (!link) return;
  event.preventDefault();
  event.stopPropagation();
  link.click();
}, true);
