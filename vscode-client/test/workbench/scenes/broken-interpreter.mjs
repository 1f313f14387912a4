// An interpreter that does not work: one message that says what and where, and all is well once it is mended.
import fs from "node:fs";
import path from "node:path";
import { GATE } from "../programs.mjs";

export async function play(bench, { python }) {
  await bench.edit("gate.py", GATE);
  await bench.squiggle().waitFor();
  const broken = path.join(bench.folder, "broken-python");
  fs.writeFileSync(broken, "#!/bin/sh\necho 'libpython3.so is missing' >&2\nexit 127\n", { mode: 0o755 });

  bench.server.configure({ "inplace.interpreter": broken });
  const message = bench.notification("broken-python does not work");
  await message.waitFor();
  for (const words of [/libpython3\.so is missing/, /inplace\.interpreter/, /Show Log/]) {
    await message.filter({ hasText: words }).waitFor();
  }
  await bench.picture("broken-interpreter");
  await bench.squiggle().waitFor({ state: "detached" });
  await bench.quiet();

  bench.server.configure({ "inplace.interpreter": python });
  await bench.squiggle().waitFor();
}
