import * as vscode from "vscode";
import { deferred } from "../deferred";
import type {
  LanguageClient,
  ProgressToken,
  WorkDoneProgressBegin,
  WorkDoneProgressEnd,
  WorkDoneProgressReport,
} from "vscode-languageclient/node";

type Step = WorkDoneProgressBegin | WorkDoneProgressReport | WorkDoneProgressEnd;

interface Shown {
  readonly report: (message: string | undefined) => void;
  readonly close: () => void;
}

/**
 * Shows work that can be cancelled as a notification with a button for it. The language client would show it in the status
 * bar, where VS Code has no such button.
 */
export class CancellableProgress {
  readonly #shown = new Map<ProgressToken, Shown>();

  constructor(private readonly client: () => LanguageClient) {}

  /** A step of the work behind `token`; `next` is what the language client does with it. */
  handle(token: ProgressToken, step: Step, next: () => void): void {
    if (step.kind === "begin" && step.cancellable === true) {
      this.#shown.set(token, this.#show(token, step));
      return;
    }
    const shown = this.#shown.get(token);
    if (step.kind === "report" && shown !== undefined) {
      shown.report(step.message);
      return;
    }
    if (step.kind === "end") {
      shown?.close();
      this.#shown.delete(token);
    }
    next();
  }

  /** The server is gone: nothing of it goes on. */
  closeAll(): void {
    this.#shown.forEach((bar) => {
      bar.close();
    });
    this.#shown.clear();
  }

  #show(token: ProgressToken, begin: WorkDoneProgressBegin): Shown {
    const closed = deferred<undefined>();
    const shown: { report: (message: string | undefined) => void } = { report: () => undefined };
    const options = { location: vscode.ProgressLocation.Notification, title: begin.title, cancellable: true };
    void vscode.window.withProgress(options, (progress, cancellation) => {
      shown.report = (message) => {
        progress.report(message === undefined ? {} : { message });
      };
      shown.report(begin.message);
      cancellation.onCancellationRequested(() => {
        void this.client().sendNotification("window/workDoneProgress/cancel", { token });
      });
      return closed.promise;
    });
    return {
      report: (message) => {
        shown.report(message);
      },
      close: () => {
        closed.resolve(undefined);
      },
    };
  }
}
