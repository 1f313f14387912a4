import * as vscode from "vscode";
import type { Launch } from "../server/launch";
import { ending, notStarted, start } from "../server/process";
import { utf16 } from "../trace/columns";
import { byFile, type Finding, parse, type Place, summary } from "./findings";

const SEVERITIES = {
  error: vscode.DiagnosticSeverity.Error,
  warning: vscode.DiagnosticSeverity.Warning,
  information: vscode.DiagnosticSeverity.Information,
  hint: vscode.DiagnosticSeverity.Hint,
};

/** Checks whole folders through the command line, and lists what is found in files that the server does not watch. */
export class WorkspaceCheck {
  readonly #found = vscode.languages.createDiagnosticCollection("inplace-lsp workspace");
  readonly #opened = vscode.workspace.onDidOpenTextDocument((document) => {
    this.#found.delete(document.uri); // from here on the server tells about it
  });

  constructor(private readonly log: vscode.LogOutputChannel) {}

  /** Check the folders of the workspace; `launch` is the command line for some arguments. */
  async run(launch: (args: readonly string[]) => Launch | undefined): Promise<void> {
    const folders = vscode.workspace.workspaceFolders?.map((folder) => folder.uri.fsPath) ?? [];
    const command = launch(["check", "--output-format", "json", "--", ...folders]);
    if (folders.length === 0 || command === undefined) {
      const why = folders.length === 0 ? "no folder is open" : "the server cannot be started (see its status)";
      void vscode.window.showInformationMessage(`inplace-lsp: the workspace cannot be checked: ${why}.`);
      return;
    }
    const options = {
      location: vscode.ProgressLocation.Notification,
      title: "Checking the workspace",
      cancellable: true,
    };
    await vscode.window.withProgress(options, async (_, token) => {
      try {
        const { printed, problems } = await output(command, token);
        if (!token.isCancellationRequested) {
          await this.#show(parse(printed), problems);
        }
      } catch (error) {
        this.log.error(`check: ${String(error)}`);
        void vscode.window.showErrorMessage(`inplace-lsp: the workspace could not be checked. ${String(error)}`);
      }
    });
  }

  async #show(findings: readonly Finding[], problems: readonly string[]): Promise<void> {
    problems.forEach((line) => {
      this.log.warn(`check: ${line}`);
    });
    this.#found.clear();
    const open = new Set(vscode.workspace.textDocuments.map((document) => document.uri.fsPath));
    for (const [file, theirs] of byFile(findings)) {
      if (!open.has(file)) {
        const uri = vscode.Uri.file(file);
        this.#found.set(uri, await Promise.all(theirs.map(diagnostic)));
      }
    }
    void vscode.window.showInformationMessage(summary(findings, problems));
    if (findings.length > 0) {
      await vscode.commands.executeCommand("workbench.actions.view.problems");
    }
  }

  /** Take the list away. */
  dispose(): void {
    this.#opened.dispose();
    this.#found.dispose();
  }
}

async function diagnostic(finding: Finding): Promise<vscode.Diagnostic> {
  const range = await rangeOf(finding.filename, finding.location, finding.end_location);
  const shown = new vscode.Diagnostic(range, finding.message, SEVERITIES[finding.severity]);
  shown.source = "inplace-lsp";
  shown.code = { value: finding.code, target: vscode.Uri.parse(finding.url) };
  shown.relatedInformation = await Promise.all(
    finding.related.map(async (place) => {
      const where = await rangeOf(place.filename, place.location, place.end_location);
      return new vscode.DiagnosticRelatedInformation(
        new vscode.Location(vscode.Uri.file(place.filename), where),
        place.message,
      );
    }),
  );
  return shown;
}

async function rangeOf(file: string, start: Place, end: Place): Promise<vscode.Range> {
  const lines = await linesOf(file);
  const at = (place: Place): vscode.Position =>
    new vscode.Position(place.row - 1, utf16(lines[place.row - 1] ?? "", place.column - 1));
  return new vscode.Range(at(start), at(end));
}

async function linesOf(file: string): Promise<readonly string[]> {
  try {
    const bytes = await vscode.workspace.fs.readFile(vscode.Uri.file(file));
    return new TextDecoder().decode(bytes).split(/\r\n|\r|\n/);
  } catch {
    return []; // deleted meanwhile: the rows still hold
  }
}

/** What a command prints, and the lines it says on stderr. Rejects if it could not do its work at all. */
function output(launch: Launch, token: vscode.CancellationToken): Promise<{ printed: string; problems: string[] }> {
  return new Promise((resolve, reject) => {
    const child = start(launch);
    child.stdin.end();
    const cancelling = token.onCancellationRequested(() => child.kill());
    let printed = "";
    let said = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => (printed += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (said += text));
    child.on("error", (error: NodeJS.ErrnoException) => {
      reject(new Error(notStarted(launch.command, error)));
    });
    child.on("close", (code, signal) => {
      cancelling.dispose();
      const problems = said.split(/\r?\n/).filter((line) => line !== "");
      if (printed.trim() !== "" || token.isCancellationRequested) {
        resolve({ printed, problems });
      } else {
        reject(new Error(problems.at(-1) ?? ending(code, signal)));
      }
    });
  });
}
