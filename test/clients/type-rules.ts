/**
 * What the types of the client for TypeScript must refuse. `tsc` checks it with all code: a line that compiles after
 * `@ts-expect-error` is an error.
 */
import { isPompaError, type PompaClient, type PompaError } from '../../clients/typescript/src/index.ts';

/** Never runs. */
export async function typeRules(pompa: PompaClient): Promise<void> {
  const { statii } = await pompa.getStations();
  const [first] = statii;
  if (first === undefined) return;
  // @ts-expect-error a price may be missing
  const doubled: number = first.pret * 2;
  // @ts-expect-error a missing price is no 0
  const sum: number = statii.reduce((total, { pret }) => total + pret, 0);
  const known: number[] = statii.flatMap(({ pret }) => (pret === null ? [] : [pret]));
  // @ts-expect-error no such fuel
  await pompa.getStations({ tip: 'kerosen' });
  // @ts-expect-error no such parameter
  await pompa.getStations({ radius: 5 });
  // @ts-expect-error a county is needed
  await pompa.getCountyPrices();
  // @ts-expect-error the legacy zeros would be taken for prices
  await pompa.getPrices({ zeros: '1' });
  // @ts-expect-error a box has four sides
  await pompa.getStations({ bbox: [20, 43] });
  const { preturi } = await pompa.getNationalPrices();
  // @ts-expect-error cities name this fuel otherwise than the country does
  preturi.motorina.min satisfies number;
  for await (const { pret_vechi, pret_nou } of pompa.iterateChanges()) {
    // @ts-expect-error either price may be missing
    console.log(pret_nou - pret_vechi);
  }
  // @ts-expect-error no such parameter
  await pompa.getChanges({ after: 'x' });
  console.log(doubled, sum, known);
}

/** Compiles only while every kind of error has its fields and none is left out. */
export function adviceOn(error: unknown): string {
  if (!isPompaError(error)) throw error;
  return adviceOnKind(error);
}

function adviceOnKind(error: PompaError): string {
  switch (error.kind) {
    case 'weekly-cap':
      return error.nextAllowed.toISOString();
    case 'monthly-quota':
      return `${error.limit} until ${error.resetsAt.toISOString()}`;
    case 'rate-limit':
    case 'key-unverified':
      return error.retryAfterSeconds.toFixed();
    case 'unavailable':
      // @ts-expect-error the time may be unknown
      return error.retryAfterSeconds.toFixed();
    case 'cursor-gone':
      return error.resumeFrom;
    case 'key-refused':
    case 'bad-request':
    case 'forbidden':
    case 'not-found':
    case 'server':
      return `${error.status}`;
    case 'unexpected-answer':
    case 'network':
      return error.message;
  }
}
