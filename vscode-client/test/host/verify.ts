import { test } from "./runner";

test("placeholder", () => Promise.resolve());
