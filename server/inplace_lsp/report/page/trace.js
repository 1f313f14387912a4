"use strict";
(() => {
  const editor = typeof acquireVsCodeApi === "function" ? acquireVsCodeApi() : null;
  const main = document.querySelector("main");
  const sections = [...main.querySelectorAll("section")];
  const inSight = () => sections.find((section) => !section.hidden);
  const rows = () => [...inSight().querySelectorAll("tbody:not([hidden]) > tr")];
  const stop = (row) => row.querySelector("button") ?? row;

  /** Show or hide what a fold puts away; folds inside it close with it. */
  function unfold(button, open) {
    button.setAttribute("aria-expanded", String(open));
    for (const body of main.querySelectorAll(`tbody[data-fold="${button.dataset.opens}"]`)) {
      body.hidden = !open;
      if (!open) {
        body.querySelectorAll("button").forEach((inner) => unfold(inner, false));
      }
    }
  }

  /** Open every fold that hides `row`. */
  function uncover(row) {
    for (let body = row.closest("tbody"); body?.dataset.fold; ) {
      const button = main.querySelector(`button[data-opens="${body.dataset.fold}"]`);
      unfold(button, true);
      body = button.closest("tbody");
    }
  }

  /** Show one story and hide the others. */
  function tell(section, focus = true) {
    for (const other of sections) {
      other.hidden = other !== section;
    }
    for (const button of main.querySelectorAll("button.story")) {
      button.setAttribute("aria-pressed", String(`story-${button.dataset.story}` === section.id));
    }
    enter(section);
    if (focus) {
      window.scrollTo(0, 0);
      section.querySelector("h1").focus({ preventScroll: true });
    }
  }

  /** Put one row of a story into the order of the tab key. */
  function enter(section) {
    const row = section.querySelector("tr.bad") ?? section.querySelector("tr[tabindex]");
    if (row && !section.querySelector('tr[tabindex="0"]')) {
      row.tabIndex = 0;
    }
  }

  /** Make `row` the one that the keyboard stands on, and mark the rows of the same line. */
  function choose(row, focus = true) {
    const section = row.closest("section");
    if (section.hidden) {
      tell(section, false);
    }
    uncover(row);
    for (const other of main.querySelectorAll("tr.chosen, tr.same")) {
      other.classList.remove("chosen", "same");
    }
    row.classList.add("chosen");
    for (const other of section.querySelectorAll("tr[data-row]")) {
      if (other.dataset.row === row.dataset.row && other.dataset.file === row.dataset.file) {
        other.classList.add("same");
      }
    }
    section.querySelectorAll('tr[tabindex="0"]').forEach((other) => (other.tabIndex = -1));
    if (row.hasAttribute("tabindex")) {
      row.tabIndex = 0;
    }
    if (focus) {
      stop(row).focus({ preventScroll: true });
      row.scrollIntoView({ block: "nearest" });
    }
  }

  function reveal(row) {
    if (row.dataset.file !== undefined) {
      const { file, row: line, column } = row.dataset;
      editor?.postMessage({ type: "reveal", file, row: Number(line), column: Number(column) });
    }
  }

  function move(row, key) {
    const all = rows();
    const at = all.indexOf(row);
    const bad = key === "n" ? all.findIndex((element, index) => index > at && element.classList.contains("bad")) : -1;
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: all.length - 1, n: bad }[key];
    if (next !== undefined && all[next]) {
      choose(all[next]);
      return true;
    }
    return next !== undefined;
  }

  main.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    const row = event.target.closest("tbody tr");
    if (button?.dataset.story !== undefined) {
      tell(sections[Number(button.dataset.story)]);
    } else if (button) {
      unfold(button, button.getAttribute("aria-expanded") !== "true");
    } else if (row) {
      choose(row);
      reveal(row);
    }
  });

  document.addEventListener("keydown", (event) => {
    if (event.key === "s" && !event.ctrlKey && !event.metaKey && !event.altKey) {
      tell(sections[(sections.indexOf(inSight()) + 1) % sections.length]);
      return;
    }
    const row = event.target.closest("tbody tr");
    if (!row || event.ctrlKey || event.metaKey || event.altKey) {
      return;
    }
    if (event.key === "Enter" && event.target === row) {
      reveal(row);
    } else if (!move(row, event.key)) {
      return;
    }
    event.preventDefault();
  });

  document.addEventListener("click", (event) => {
    const link = event.target.closest('a[href^="#event-"]');
    const row = link && document.getElementById(link.getAttribute("href").slice(1));
    if (row) {
      event.preventDefault();
      choose(row);
      row.scrollIntoView({ block: "center" });
    }
  });

  window.addEventListener("message", ({ data }) => {
    if (data?.type === "highlight") {
      const wanted = (element) => element.dataset.file === data.file && Number(element.dataset.row) === data.row;
      const here = [...inSight().querySelectorAll("tr[data-row]")].filter(wanted);
      const found = here.length > 0 ? here : [...main.querySelectorAll("tr[data-row]")].filter(wanted);
      const row = found.find((element) => !element.closest("tbody").hidden) ?? found[0];
      if (row) {
        choose(row, false);
        row.scrollIntoView({ block: "center" });
      }
    }
  });

  enter(sections[0]);
})();
