// The worker, as promises.
export class Analyser {
  constructor(url) {
    this.worker = new Worker(url, { type: "module" });
    this.waiting = new Map();
    this.next = 0;
    this.started = false;
    this.ready = new Promise((resolve, reject) => {
      this.worker.onerror = ({ message }) => reject(new Error(message || "the worker cannot be loaded"));
      this.worker.onmessage = ({ data }) => {
        if (data.ready) {
          this.started = true;
          resolve();
        } else if (data.failed) {
          reject(new Error(data.failed));
        } else {
          this.settle(data);
        }
      };
    });
  }

  settle({ number, answer, error }) {
    const { resolve, reject, plain } = this.waiting.get(number);
    this.waiting.delete(number);
    if (error === undefined) {
      resolve(plain ? answer : JSON.parse(answer));
    } else {
      reject(new Error(error));
    }
  }

  /** Ask for a method of the analyser; `plain`: its answer is text, and no JSON. */
  ask(method, argument, { plain = false } = {}) {
    const number = this.next++;
    return new Promise((resolve, reject) => {
      this.waiting.set(number, { resolve, reject, plain });
      this.worker.postMessage({ number, method, argument });
    });
  }
}
