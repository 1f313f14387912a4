// How long the tests wait. A machine of CI has two cores and does other things as well.
const IN_CI = Boolean(process.env.CI);

/** For what must come in the end: a finding, a verdict, a server. */
export const PATIENCE = IN_CI ? 180_000 : 60_000;

/** For one attempt at what is tried again: a click that was lost, a list that was drawn anew. */
export const ATTEMPT = IN_CI ? 15_000 : 5_000;
