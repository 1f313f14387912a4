import * as vscode from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";
import { errorIn, type Place } from "../errors";
import { type Candidate, type Why, WHY } from "../protocol";
import { DebugListener, errorOfCell } from "./errorText";

const NO_ERROR =
  "inplace-lsp: that is not a PyTorch error about an in-place write. Copy the whole message, with its traceback.";

/** Find the write behind the error in `given`, else behind that in the clipboard. */
export async function findWrite(client: LanguageClient, given: unknown): Promise<void> {
  const text = typeof given === "string" ? given : await vscode.env.clipboard.readText();
  const answer = await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title: "inplace-lsp: looking for the write", cancellable: true },
    (_, token) => client.sendRequest<Why | null>(WHY, { text }, token),
  );
  if (answer === null) {
    void vscode.window.showInformationMessage(NO_ERROR);
    return;
  }
  await offer(answer);
}

interface Item extends vscode.QuickPickItem {
  readonly candidate: Candidate;
}

const REASONS = "Show All Reasons";
const OTHERS = "Others";

/** Go to the likeliest place, and say why it is that; the others are a click away. */
async function offer(answer: Why): Promise<void> {
  const [first, ...others] = answer.candidates;
  if (first === undefined) {
    await showText(answer.text);
    return;
  }
  await goTo(first, false);
  const words = `inplace-lsp: this write explains the error: ${first.reasons[0] ?? first.message}.`;
  const offers = others.length > 0 ? [REASONS, OTHERS] : [REASONS];
  void vscode.window.showInformationMessage(words, ...offers).then(async (chosen) => {
    if (chosen === REASONS) {
      await showText(answer.text);
    } else if (chosen === OTHERS) {
      await choose(answer.candidates);
    }
  });
}

/** Let the user choose one of the candidates; each is shown while it is walked through. */
async function choose(candidates: readonly Candidate[]): Promise<void> {
  const chosen = await vscode.window.showQuickPick(candidates.map(item), {
    title: "Which write explains the error?",
    matchOnDescription: true,
    matchOnDetail: true,
    onDidSelectItem: (item) => void goTo((item as Item).candidate, true),
  });
  if (chosen !== undefined) {
    await goTo(chosen.candidate, false);
  }
}

function item(candidate: Candidate): Item {
  const place = `${vscode.workspace.asRelativePath(candidate.filename)}:${candidate.location.row}`;
  const label = `${candidate.rank}. ${place}`;
  return {
    label,
    description: `${candidate.code} ${candidate.message}`,
    detail: candidate.reasons.join("; "),
    candidate,
  };
}

async function goTo(candidate: Candidate, preserveFocus: boolean): Promise<void> {
  if (candidate.uri === undefined || candidate.range === undefined) {
    return;
  }
  const { start, end } = candidate.range;
  const selection = new vscode.Range(start.line, start.character, end.line, end.character);
  await vscode.window.showTextDocument(vscode.Uri.parse(candidate.uri), {
    selection,
    preserveFocus,
    preview: preserveFocus,
  });
}

async function showText(content: string): Promise<void> {
  await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ content }), { preview: true });
}

/** An error in the terminal, with the line that it stands in. */
class ErrorLink extends vscode.TerminalLink {
  constructor(
    { start, length }: Place,
    readonly line: string,
  ) {
    super(start, length, "Find the write");
  }
}

/** Makes torch's errors in the terminal links that find the write. */
export class ErrorLinks implements vscode.TerminalLinkProvider<ErrorLink> {
  readonly #find: (text: string) => void;

  constructor(find: (text: string) => void) {
    this.#find = find;
  }

  /** The link in a line, if it is such an error. */
  provideTerminalLinks({ line }: vscode.TerminalLinkContext): ErrorLink[] {
    const place = errorIn(line);
    return place ? [new ErrorLink(place, line)] : [];
  }

  /** Somebody clicked. */
  handleTerminalLink({ line }: ErrorLink): void {
    this.#find(line);
  }
}

const FIND = "Find the Write";

/** Puts "Find the Write" below the cells of a notebook whose output has such an error. */
export class ErrorsInCells implements vscode.NotebookCellStatusBarItemProvider {
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #watch = vscode.workspace.onDidChangeNotebookDocument(({ cellChanges }) => {
    if (cellChanges.some(({ outputs }) => outputs !== undefined)) {
      this.#changed.fire();
    }
  });
  readonly onDidChangeCellStatusBarItems = this.#changed.event;

  /** What stands below a cell. */
  provideCellStatusBarItems(cell: vscode.NotebookCell): vscode.NotebookCellStatusBarItem[] {
    const text = errorOfCell(cell.outputs.flatMap(({ items }) => items));
    if (text === undefined) {
      return [];
    }
    const item = new vscode.NotebookCellStatusBarItem(`$(search) ${FIND}`, vscode.NotebookCellStatusBarAlignment.Left);
    item.command = { command: "inplace.findWrite", title: FIND, arguments: [text] };
    item.tooltip = "inplace-lsp: which write explains this error";
    return [item];
  }

  /** Watch notebooks no longer. */
  dispose(): void {
    this.#watch.dispose();
    this.#changed.dispose();
  }
}

/** Offers to find the write behind an error that a debugged program has printed or stopped at. */
export class ErrorsInDebugging implements vscode.DebugAdapterTrackerFactory {
  /** Listen to a session. */
  createDebugAdapterTracker(): vscode.DebugAdapterTracker {
    const listener = new DebugListener((text) => {
      const words = "inplace-lsp: torch raised an error about a write in place.";
      void vscode.window.showInformationMessage(words, FIND).then((chosen) => {
        if (chosen === FIND) {
          void vscode.commands.executeCommand("inplace.findWrite", text);
        }
      });
    });
    return {
      onDidSendMessage: (message) => {
        listener.onDidSendMessage(message);
      },
    };
  }
}
