// The field above the table of the ops: a row stays while each word is in one of its names or its cells.
// `#op=exp` in the address fills the field, so that a search can be linked.
document.addEventListener("DOMContentLoaded", () => {
  const field = document.getElementById("op-filter");
  if (!field) {
    return;
  }
  const count = document.getElementById("op-count");
  const rows = [...document.querySelectorAll("#op-table tbody tr")].map((row) => ({
    row,
    name: row.cells[0].textContent.toLowerCase(),
    text: `${row.dataset.names} ${[...row.cells].slice(1, 4).map((cell) => cell.textContent).join(" ")}`.toLowerCase(),
  }));
  const torch = document.getElementById("op-table").dataset.torch;

  /** Exact names come first, then names that begin so, then the rest. */
  const rank = (name, words) => (words.includes(name) ? 0 : words.some((word) => name.startsWith(word)) ? 1 : 2);

  /** Names such as `__add__` come last. */
  const order = (name) => (name.startsWith("_") ? `~${name}` : name);

  function filter() {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    const found = rows.filter(({ name, text }) => words.every((word) => (word.length < 3 ? name : text).includes(word)));
    rows.forEach(({ row }) => (row.hidden = true));
    found.sort((a, b) => rank(a.name, words) - rank(b.name, words) || (order(a.name) < order(b.name) ? -1 : 1));
    found.forEach(({ row }) => {
      row.hidden = false;
      row.parentNode.append(row);
    });
    count.textContent = `${found.length} of ${rows.length} ops of torch ${torch}.`;
  }

  const asked = new URLSearchParams(location.hash.slice(1)).get("op");
  field.value = asked ?? "";
  field.addEventListener("input", filter);
  filter();
});
