/** Runs a generator of work in slices to its end at once, and returns its result. */
export function runToEnd<R>(steps: Generator<void, R, void>): R {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}
