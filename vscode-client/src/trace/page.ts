import { randomBytes } from "node:crypto";

/** A number used once: only scripts and styles that carry it run. */
export function newNonce(): string {
  return randomBytes(18).toString("base64url");
}

/**
 * The server's page under a policy that allows its own script and style and nothing else: no network, no frames,
 * no images but those drawn in the page.
 *
 * The server writes the page with `nonce`. One without it would not run under the policy, so it is not shown.
 */
export function underPolicy(html: string, nonce: string): string {
  if (!html.includes(`nonce="${nonce}"`)) {
    throw new Error("the page of the trace does not carry the nonce that it was asked to");
  }
  const sources = `default-src 'none'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'; img-src data:`;
  const policy = `<meta http-equiv="Content-Security-Policy" content="${sources}">`;
  const head = /<head[^>]*>/i.exec(html);
  if (head === null) {
    throw new Error("the page of the trace has no head");
  }
  const end = head.index + head[0].length;
  return html.slice(0, end) + policy + html.slice(end);
}
