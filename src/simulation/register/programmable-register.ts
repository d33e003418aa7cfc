/** A register that answers as the real one is known to, cap and quirks included, for tests. Programmable question by question. */
import { ROAD_FUELS, type RoadFuel } from '../../domain/fuel.ts';
import { CATALOGUE_ID } from '../../sources/register/parsing/catalogue.ts';
import { byUnit } from '../../sources/register/requests/targets.ts';
import type { Answer, Ask } from '../../sources/source.ts';
import { itemsBody, productRow, stationRow } from './register-format.ts';

export type ProgrammableStation = {
  readonly id: string;
  readonly network: string;
  readonly unit: number;
  readonly lat: number;
  readonly lng: number;
  /** What the register sends as the price, by fuel; a fuel that is not here is not sold. */
  readonly prices: Partial<Record<RoadFuel, unknown>>;
  /** Row fields that differ from the usual ones. */
  readonly overrides?: Readonly<Record<string, unknown>>;
};
type Coordinates = { readonly lat: number; readonly lng: number };

export const BUCHAREST: Coordinates = { lat: 44.4325, lng: 26.1039 };

export class ProgrammableRegister {
  readonly asked: string[] = [];
  readonly #stations: ProgrammableStation[] = [];
  readonly #outlines = new Map<number, readonly Coordinates[]>();
  readonly #scripts = new Map<string, (times: number) => Answer | Promise<Answer> | null>();
  /** Networks listed by `GetGasNetworks` besides those of the stations. */
  listsNetworks = true;
  cap = 50;

  /** A register that is well: its canary has one station. */
  constructor() {
    this.add({
      id: '041B11',
      network: 'ROMPETROL',
      unit: 179132,
      ...BUCHAREST,
      prices: { ...everyFuel(8.88), lpg: 4.2 },
    });
  }

  add(...stations: readonly ProgrammableStation[]): this {
    this.#stations.push(...stations);
    return this;
  }

  /** Draws a unit's outline into its answers. */
  outline(unit: number, corners: readonly Coordinates[]): this {
    this.#outlines.set(unit, corners);
    return this;
  }

  /** What a unit and fuel (or any target) answers instead; by how often it was asked, from 1. `null` = as usual. */
  script(target: string, answer: (times: number) => Answer | Promise<Answer> | null): this {
    this.#scripts.set(target, answer);
    return this;
  }

  scriptUnit(unit: number, fuel: RoadFuel, answer: (times: number) => Answer | Promise<Answer> | null): this {
    return this.script(byUnit(unit, fuel), answer);
  }

  timesAsked(part: string): number {
    return this.asked.filter((target) => target.includes(part)).length;
  }

  ask: Ask = async (target) => {
    this.asked.push(target);
    const times = this.asked.filter((other) => other === target).length;
    return (await this.#scripts.get(target)?.(times)) ?? this.#defaultAnswer(target);
  };

  #defaultAnswer(target: string): Answer {
    const url = new URL(target, 'http://register.example/pmonsvc/Gas/');
    const word = (name: string) => url.searchParams.get(name) ?? '';
    const fuel = ROAD_FUELS.find((one) => String(CATALOGUE_ID[one]) === word('CSVGasCatalogProductIds'));
    switch (url.pathname.split('/').at(-1)) {
      case 'GetGasNetworks':
        return this.listsNetworks ? jsonAnswer({ Items: this.#networks() }) : notFound();
      case 'GetGasItemsByUat':
        return fuel ? this.#byUnit(Number(word('UatId')), fuel, word('CSVGasNetworkIDS')) : badParameter();
      case 'GetGasItemsByLatLon':
        return fuel ? this.#around(coordinatesOf(word), Number(word('buffer')), fuel) : badParameter();
      default:
        return notFound();
    }
  }

  #byUnit(unit: number, fuel: RoadFuel, network: string): Answer {
    const rows = this.#stations.filter((one) => one.unit === unit && fuel in one.prices);
    const wanted = rows.filter((one) => network === '' || network.split(',').includes(one.network));
    if (wanted.length === 0) return badParameter();
    const middle = { lat: mean(rows.map(({ lat }) => lat)), lng: mean(rows.map(({ lng }) => lng)) };
    return this.#items(wanted, middle, fuel, this.#outlines.get(unit));
  }

  #around(middle: Coordinates, radiusM: number, fuel: RoadFuel): Answer {
    const reach = radiusM > 5000 ? -1 : radiusM;
    const rows = this.#stations.filter((one) => fuel in one.prices && distanceM(one, middle) <= reach);
    return this.#items(rows, middle, fuel);
  }

  #items(
    rows: readonly ProgrammableStation[],
    middle: Coordinates,
    fuel: RoadFuel,
    area: readonly Coordinates[] = [],
  ): Answer {
    const sent = rows.toSorted((a, b) => distanceM(a, middle) - distanceM(b, middle)).slice(0, this.cap);
    return jsonAnswer(
      itemsBody(
        sent.map((one) => stationRow(one, one.overrides)),
        sent.map((one) => productRow(one.id, one.network, fuel, one.prices[fuel])),
        [],
        area,
      ),
    );
  }

  #networks(): unknown[] {
    const ids = new Set(this.#stations.map(({ network }) => network));
    return [...ids].map((id) => ({ id, name: id, logo: {} }));
  }
}

/** The same price for all five fuels. */
export function everyFuel(price: unknown): Record<RoadFuel, unknown> {
  return { petrol: price, petrol_premium: price, diesel: price, diesel_premium: price, lpg: price };
}

export function jsonAnswer(body: unknown, status = 200): Answer {
  return { status, contentType: 'application/json; charset=utf-8', body: Buffer.from(JSON.stringify(body)) };
}

export function htmlAnswer(status: number): Answer {
  const body = Buffer.from('<!DOCTYPE html><html><body><h1>Forbidden</h1></body></html>');
  return { status, contentType: 'text/html', body };
}

/** The register's answer to a wrong parameter, and to a unit without a station for the fuel. */
export function badParameter(): Answer {
  const ExceptionMessage = '22P02: invalid input syntax for type integer: "x"';
  return jsonAnswer(
    { Message: 'An error has occurred.', ExceptionMessage, ExceptionType: 'Npgsql.PostgresException' },
    500,
  );
}

function notFound(): Answer {
  return jsonAnswer({ Message: 'No HTTP resource was found.' }, 404);
}

function coordinatesOf(word: (name: string) => string): Coordinates {
  return { lat: Number(word('lat')), lng: Number(word('lon')) };
}

function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, one) => sum + one, 0) / numbers.length;
}

function distanceM(a: Coordinates, b: Coordinates): number {
  const radians = (degrees: number) => (degrees * Math.PI) / 180;
  const lat = Math.sin(radians(b.lat - a.lat) / 2) ** 2;
  const lng = Math.cos(radians(a.lat)) * Math.cos(radians(b.lat)) * Math.sin(radians(b.lng - a.lng) / 2) ** 2;
  return 2 * 6_371_000 * Math.asin(Math.sqrt(lat + lng));
}
