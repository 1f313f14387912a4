// The playground: an editor, what the analyser says of the program in it, and a box for PyTorch's error.
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { python } from "@codemirror/lang-python";
import { bracketMatching, HighlightStyle, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { lintGutter, setDiagnostics } from "@codemirror/lint";
import { EditorState } from "@codemirror/state";
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { Analyser } from "./analyser.js";
import { decodeProgram, encodeProgram } from "./link.js";
import { element, prose } from "./elements.js";

const PAUSE = 250; // milliseconds without a keystroke before the program is checked
const base = new URL(".", import.meta.url).href;
const LEVELS = { error: "error", warning: "warning", information: "info", hint: "hint" };

const highlighting = HighlightStyle.define([
  { tag: tags.keyword, class: "pg-keyword" },
  { tag: [tags.string, tags.special(tags.string)], class: "pg-string" },
  { tag: [tags.number, tags.bool, tags.null], class: "pg-number" },
  { tag: tags.comment, class: "pg-comment" },
  { tag: [tags.function(tags.variableName), tags.function(tags.definition(tags.variableName))], class: "pg-function" },
  { tag: tags.className, class: "pg-function" },
]);

class Playground {
  constructor(root) {
    root.replaceChildren();
    root.classList.add("pg");
    this.state = element("p", { class: "pg-state", role: "status" }, "Loading Python…");
    this.findings = element("div", { class: "pg-findings" });
    this.analyser = new Analyser(`${base}worker.js`);
    this.round = 0;
    root.append(this.makeBar(), this.makeColumns(), this.makeErrorBox());
    this.begin(performance.now());
  }

  async begin(started) {
    try {
      await this.analyser.ready;
      document.documentElement.dataset.playground = "ready";
      document.documentElement.dataset.playgroundSeconds = ((performance.now() - started) / 1000).toFixed(2);
    } catch (error) {
      this.state.textContent = `Python could not be started: ${error.message}`;
      return;
    }
    await this.check();
  }

  makeBar() {
    this.examples = element("select", { "aria-label": "Examples" });
    this.examples.addEventListener("change", () => this.show(this.programs[this.examples.value].text));
    const share = element("button", { type: "button", class: "pg-share" }, "Copy a link to this program");
    share.addEventListener("click", () => this.share(share));
    this.loadExamples();
    return element("div", { class: "pg-bar" }, this.examples, share);
  }

  async loadExamples() {
    this.programs = await (await fetch(`${base}examples.json`)).json();
    const groups = Map.groupBy(this.programs.entries(), ([, program]) => program.group);
    for (const [label, programs] of groups) {
      const options = programs.map(([number, { title }]) => element("option", { value: number }, title));
      this.examples.append(element("optgroup", { label }, ...options));
    }
    this.examples.value = "0";
    const linked = await decodeProgram(location.hash);
    this.show(linked ?? this.programs[0].text);
    document.documentElement.dataset.playgroundExamples = String(this.programs.length);
  }

  makeColumns() {
    const editor = element("div", { class: "pg-editor" });
    this.editor = new EditorView({ parent: editor, state: this.makeState("") });
    return element(
      "div",
      { class: "pg-columns" },
      editor,
      element("div", { class: "pg-side" }, this.state, this.findings),
    );
  }

  makeState(doc) {
    return EditorState.create({
      doc,
      extensions: [
        lineNumbers(),
        lintGutter(),
        history(),
        drawSelection(),
        bracketMatching(),
        highlightActiveLine(),
        indentUnit.of("    "),
        syntaxHighlighting(highlighting),
        python(),
        keymap.of([...defaultKeymap, ...historyKeymap, indentWithTab]),
        EditorView.contentAttributes.of({ "aria-label": "Program" }),
        EditorView.updateListener.of((update) => update.docChanged && this.checkSoon()),
      ],
    });
  }

  makeErrorBox() {
    const box = element("textarea", {
      rows: 4,
      "aria-label": "PyTorch's error",
      placeholder: "RuntimeError: one of the variables needed for gradient computation has been modified by an inplace operation: …",
    });
    const ask = element("button", { type: "button" }, "Which line was it?");
    this.causes = element("div", { class: "pg-causes", role: "status" });
    ask.addEventListener("click", () => this.explain(box.value));
    return element(
      "section",
      { class: "pg-why" },
      element("h3", {}, "Paste PyTorch's error"),
      element("p", {}, "With the program above, the message tells which line wrote the tensor: torch's traceback does not."),
      box,
      ask,
      this.causes,
    );
  }

  get text() {
    return this.editor.state.sliceDoc();
  }

  show(text) {
    this.editor.setState(this.makeState(text));
    this.causes.replaceChildren();
    this.checkSoon(0);
  }

  checkSoon(pause = PAUSE) {
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => this.check(), pause);
  }

  async check() {
    if (!this.analyser.started) {
      return; // the program is checked when Python runs
    }
    const round = ++this.round;
    const text = this.text;
    const started = performance.now();
    this.state.textContent = "Checking…";
    let answer;
    try {
      answer = await this.analyser.ask("check", text);
    } catch (error) {
      this.state.textContent = `This program could not be analysed: ${error.message}`;
      return;
    }
    if (round !== this.round) {
      return; // it has been edited meanwhile
    }
    this.checked = text;
    const took = (performance.now() - started) / 1000;
    this.tell(answer, took);
    this.showDiagnostics(answer.findings.map((finding) => ({ finding, repairs: [] })));
    this.findings.replaceChildren(...answer.findings.map((finding, number) => this.makeCard(finding, number)));
    document.documentElement.dataset.playgroundChecked = JSON.stringify({
      took,
      round,
      found: answer.findings.map(({ code, severity, location }) => [code, severity, location.row]),
    });
    await this.findRepairs(answer.findings, round);
  }

  tell({ findings, gaps }, took) {
    const count = findings.length;
    const found = count === 0 ? "No hazard was found." : `${count} finding${count === 1 ? "" : "s"}.`;
    const unread = gaps.map(({ row, function: name, reason }) => `Line ${row} (${name}) was not analysed: ${reason}.`);
    this.state.replaceChildren(...prose([found, ...unread].join(" ")), ` (${took.toFixed(2)} s)`);
  }

  async findRepairs(findings, round) {
    const known = findings.map((finding) => ({ finding, repairs: [] }));
    for (const [number, each] of known.entries()) {
      if (each.finding.fixable === null && each.finding.code.startsWith("IP9")) {
        continue;
      }
      const { repairs, problem } = await this.analyser.ask("repair", number).catch((error) => ({
        repairs: [],
        problem: `The repairs could not be computed: ${error.message}`,
      }));
      if (round !== this.round) {
        return;
      }
      each.repairs = repairs;
      this.addRepairs(this.findings.children[number], repairs, problem);
    }
    this.showDiagnostics(known);
    document.documentElement.dataset.playgroundRepaired = String(round);
  }

  addRepairs(card, repairs, problem) {
    const buttons = repairs.map((repair) => this.makeRepairButton(repair));
    const notes = problem ? [element("p", { class: "pg-note" }, ...prose(problem))] : [];
    card.querySelector(".pg-repairs").replaceChildren(...buttons, ...notes);
  }

  makeRepairButton({ title, applicability, text }) {
    const marked = applicability === "unsafe" ? " (may change what the program does)" : "";
    const button = element("button", { type: "button", class: `pg-repair pg-${applicability}` }, ...prose(title), marked);
    button.disabled = text === null;
    button.addEventListener("click", () => this.replace(text));
    return button;
  }

  /** Put a repaired text in place of the program, as one small change that can be undone. */
  replace(text) {
    const before = this.text;
    let start = 0;
    while (start < Math.min(before.length, text.length) && before[start] === text[start]) {
      start++;
    }
    let end = 0;
    while (end < Math.min(before.length, text.length) - start && before.at(-1 - end) === text.at(-1 - end)) {
      end++;
    }
    this.editor.dispatch({
      changes: { from: start, to: before.length - end, insert: text.slice(start, text.length - end) },
    });
  }

  showDiagnostics(known) {
    const diagnostics = known.map(({ finding, repairs }) => ({
      from: this.offset(finding.location),
      to: Math.max(this.offset(finding.end_location), this.offset(finding.location) + 1),
      severity: LEVELS[finding.severity],
      message: finding.message,
      renderMessage: () => this.makeHover(finding),
      actions: repairs
        .filter(({ text }) => text !== null)
        .map(({ title, text }) => ({ name: title.replaceAll("`", ""), apply: () => this.replace(text) })),
    }));
    diagnostics.sort((first, second) => first.from - second.from);
    this.editor.dispatch(setDiagnostics(this.editor.state, diagnostics));
  }

  /** The offset in the editor of a row and a column in code points. */
  offset({ row, column }) {
    const doc = this.editor.state.doc;
    const line = doc.line(Math.min(Math.max(row, 1), doc.lines));
    const before = [...line.text].slice(0, column - 1).join("");
    return Math.min(line.from + before.length, doc.length);
  }

  makeHover(finding) {
    return element(
      "div",
      { class: "pg-hover" },
      element("p", {}, element("strong", {}, `${finding.code} ${finding.name}`), ": ", ...prose(finding.message)),
      ...this.adviceOf(finding),
    );
  }

  adviceOf({ advice, assumptions }) {
    const lines = advice ? [element("p", {}, element("strong", {}, "Help"), ": ", ...prose(advice))] : [];
    if (assumptions.length > 0) {
      lines.push(element("p", { class: "pg-note" }, "Assuming: ", ...prose(assumptions.join("; "))));
    }
    return lines;
  }

  makeCard(finding, number) {
    const line = element("button", { type: "button", class: "pg-line" }, `line ${finding.location.row}`);
    line.addEventListener("click", () => this.select(finding));
    const code = element("a", { href: `../hazards/${finding.code}/` }, `${finding.code} ${finding.name}`);
    const story = finding.story.map((step) => this.makeStep(step));
    return element(
      "article",
      { class: `pg-card pg-${finding.severity}` },
      element("h4", {}, line, " ", element("span", { class: "pg-severity" }, finding.severity), " ", code),
      element("p", {}, ...prose(finding.message)),
      story.length > 0 ? element("ol", { class: "pg-story" }, ...story) : "",
      ...this.adviceOf(finding),
      element("div", { class: "pg-repairs" }, element("span", { class: "pg-note" }, "Looking for repairs…")),
      this.makeTape(finding, number),
    );
  }

  makeStep({ row, source, words, here }) {
    const where = source ? [element("strong", {}, `line ${row}`), " ", element("code", {}, source), ": "] : [];
    return element("li", { class: here ? "pg-here" : "" }, ...where, words);
  }

  makeTape(finding, number) {
    const picture = element("div", { class: "pg-tape" });
    const details = element("details", {}, element("summary", {}, "What happens to the tensor"), picture);
    details.addEventListener("toggle", async () => {
      if (!details.open || picture.hasChildNodes()) {
        return;
      }
      const round = this.round;
      const svg = await this.analyser.ask("draw", [number, picture.clientWidth], { plain: true });
      if (round === this.round) {
        const url = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
        picture.append(element("img", { src: url, alt: `The versions of the tensor: ${finding.message}` }));
      }
    });
    return details;
  }

  select({ location, end_location: end }) {
    this.editor.dispatch({
      selection: { anchor: this.offset(location), head: this.offset(end) },
      scrollIntoView: true,
    });
    this.editor.focus();
  }

  async explain(message) {
    this.causes.replaceChildren("Searching…");
    if (this.checked !== this.text) {
      await this.check();
    }
    const { candidates, problem } = await this.analyser.ask("explain", message).catch((error) => ({
      candidates: [],
      problem: error.message,
    }));
    const notes = problem ? [element("p", {}, ...prose(problem))] : [];
    const list = candidates.map((candidate) => this.makeCause(candidate));
    this.causes.replaceChildren(...notes, element("ol", {}, ...list));
  }

  makeCause(candidate) {
    const line = element("button", { type: "button", class: "pg-line" }, `line ${candidate.location.row}`);
    line.addEventListener("click", () => this.select(candidate));
    const reasons = candidate.reasons.map((reason) => element("li", {}, ...prose(reason)));
    return element("li", {}, line, ` ${candidate.code} `, ...prose(candidate.message), element("ul", {}, ...reasons));
  }

  async share(button) {
    window.history.replaceState(null, "", await encodeProgram(this.text));
    try {
      await navigator.clipboard.writeText(location.href);
      button.textContent = "Copied";
    } catch {
      button.textContent = "The address has it now";
    }
    setTimeout(() => (button.textContent = "Copy a link to this program"), 2000);
  }
}


const root = document.getElementById("pg-root");
if (root) {
  new Playground(root);
}
