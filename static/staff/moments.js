// Shows every <time datetime> in the viewer's own zone and words; the exact value stays in its title.

const sameDay = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });

for (const element of document.querySelectorAll("time[datetime]")) {
  const moment = new Date(element.dateTime);
  if (!Number.isNaN(moment.getTime())) element.textContent = sameDay.format(moment);
}
