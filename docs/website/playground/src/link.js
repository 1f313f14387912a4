// The program in the address: behind the #, which no browser sends to a server.
const KEY = "#program=";

/** The part of an address that carries the program, compressed. */
export async function encodeProgram(text) {
  const bytes = await through(new TextEncoder().encode(text), new CompressionStream("deflate-raw"));
  const letters = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return KEY + btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** The program in that part of an address; null if there is none. */
export async function decodeProgram(hash) {
  if (!hash.startsWith(KEY)) {
    return null;
  }
  try {
    const letters = atob(hash.slice(KEY.length).replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
    return new TextDecoder().decode(await through(bytes, new DecompressionStream("deflate-raw")));
  } catch {
    return null;
  }
}

async function through(bytes, stream) {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
}
