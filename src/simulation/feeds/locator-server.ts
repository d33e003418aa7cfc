/** A station finder that has fallen silent: it knows the simulated country's stations, and answers no more. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Country } from '../country/country.ts';
import { type LocatorStation, locatorHandler, MOL_PATH } from './simulated-locators.ts';

export type SimulatedLocator = {
  /** The full address of MOL's finder. */
  readonly molUrl: string;
  /** Whether it answers; otherwise every request gets 503. Off at first. */
  setAnswering(isAnswering: boolean): void;
  close(): Promise<void>;
};

/** Starts the finder of MOL on a free port of loopback; resolves once it listens. */
export async function startSimulatedLocator(country: Country): Promise<SimulatedLocator> {
  const stations = molStations(country);
  const answer = locatorHandler(() => stations);
  let isAnswering = false;
  const server = createServer((request, response) => {
    if (isAnswering) answer(request, response);
    else response.writeHead(503).end();
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    molUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}${MOL_PATH}`,
    setAnswering(now) {
      isAnswering = now;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function molStations({ stations, units }: Country): LocatorStation[] {
  const townOf = new Map(units.map(({ siruta, name }) => [siruta, name]));
  return stations
    .filter(({ network }) => network === 'MOL')
    .map(({ id, address, zipcode, lat, lng, siruta }) => ({
      ...{ id, brand: 'MOL', town: townOf.get(siruta) ?? '', address, postcode: zipcode, lat, lng },
    }));
}
