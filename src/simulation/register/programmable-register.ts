/** The simulated register over given stations; a test replaces answers one by one. */
import type { ReceivedResponse } from '../../clients/http/response.ts';
import type { RoadFuel } from '../../domain/fuel.ts';
import type { Point } from '../../domain/point.ts';
import { byUnit } from '../../sources/register/requests/targets.ts';
import type { Fetch } from '../../sources/source.ts';
import { RegisterAnswers } from './register-answers.ts';
import type { RegisterContents, RegisteredStation } from './register-contents.ts';
import { encodeAnswer } from './register-encoding.ts';
import { sampleProductRow, sampleStationRow } from './sample-rows.ts';

export type ProgrammableStation = {
  readonly id: string;
  readonly network: string;
  readonly unit: number;
  readonly lat: number;
  readonly lng: number;
  /** What the register sends as the price, by fuel; a fuel not listed here is not sold. */
  readonly prices: Partial<Record<RoadFuel, unknown>>;
  /** Row fields that differ from the usual ones. */
  readonly overrides?: Readonly<Record<string, unknown>>;
};

export const BUCHAREST: Point = { lat: 44.4325, lng: 26.1039 };

/** The given contents do not change over time. */
const ANY_TIME = { day: 0, minute: 0 };

type ScriptedAnswer = (times: number) => ReceivedResponse | Promise<ReceivedResponse> | null;

export class ProgrammableRegister {
  readonly requestedTargets: string[] = [];
  readonly #stations: ProgrammableStation[] = [];
  readonly #outlines = new Map<number, readonly Point[]>();
  readonly #scripts = new Map<string, ScriptedAnswer>();
  #answers: RegisterAnswers | null = null;

  /** A healthy register: its canary unit has one station. */
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
    this.#answers = null;
    return this;
  }

  /** Draws a unit's outline into its answers. */
  outline(unit: number, corners: readonly Point[]): this {
    this.#outlines.set(unit, corners);
    return this;
  }

  /** Replaces the answer to a unit and fuel (or any target), by the number of the request from 1. `null` = as usual. */
  script(target: string, answer: ScriptedAnswer): this {
    this.#scripts.set(target, answer);
    return this;
  }

  scriptUnit(unit: number, fuel: RoadFuel, answer: ScriptedAnswer): this {
    return this.script(byUnit(unit, fuel), answer);
  }

  requestCountOf(part: string): number {
    return this.requestedTargets.filter((target) => target.includes(part)).length;
  }

  fetch: Fetch = async (target) => {
    this.requestedTargets.push(target);
    const times = this.requestedTargets.filter((other) => other === target).length;
    return (await this.#scripts.get(target)?.(times)) ?? this.#defaultAnswer(target);
  };

  #defaultAnswer(target: string): ReceivedResponse {
    this.#answers ??= new RegisterAnswers(this.#contents());
    return encodeAnswer(this.#answers.answerTo(target, ANY_TIME));
  }

  #contents(): RegisterContents {
    const stations = this.#stations;
    const ids = new Set(stations.map(({ network }) => network));
    const byUnit = Map.groupBy(stations, ({ unit }) => unit);
    return {
      stations: stations.map(registeredStation),
      networks: [...ids].map((id) => ({ id, name: id })),
      centreOf: (unit) => centreOf(byUnit.get(unit) ?? []),
      outlineOf: (unit) => this.#outlines.get(unit) ?? [],
      isUnitFailing: () => false,
      unitRows: () => [],
    };
  }
}

function registeredStation(station: ProgrammableStation): RegisteredStation {
  const { id, network, unit, lat, lng, prices, overrides } = station;
  return {
    key: id,
    id,
    network,
    unit,
    location: { lat, lng },
    services: [],
    stationRow: () => sampleStationRow(station, overrides),
    productRows: (fuel, distance) =>
      fuel in prices ? [sampleProductRow(id, network, fuel, prices[fuel], { distance })] : [],
  };
}

/** The same price for all five fuels. */
export function everyFuel(price: unknown): Record<RoadFuel, unknown> {
  return { petrol: price, petrol_premium: price, diesel: price, diesel_premium: price, lpg: price };
}

export function jsonAnswer(body: unknown, status = 200): ReceivedResponse {
  return { status, contentType: 'application/json; charset=utf-8', body: Buffer.from(JSON.stringify(body)) };
}

export function htmlAnswer(status: number): ReceivedResponse {
  const body = Buffer.from('<!DOCTYPE html><html><body><h1>Forbidden</h1></body></html>');
  return { status, contentType: 'text/html', body };
}

/** The register's answer to a bad parameter, and for a unit without a station that sells the fuel. */
export function badParameter(): ReceivedResponse {
  const ExceptionMessage = '22P02: invalid input syntax for type integer: "x"';
  return jsonAnswer(
    { Message: 'An error has occurred.', ExceptionMessage, ExceptionType: 'Npgsql.PostgresException' },
    500,
  );
}

/** The register's answer to an unknown method. */
export function notFound(): ReceivedResponse {
  return jsonAnswer({ Message: 'No HTTP resource was found.' }, 404);
}

function centreOf(stations: readonly Point[]): Point {
  return { lat: mean(stations.map(({ lat }) => lat)), lng: mean(stations.map(({ lng }) => lng)) };
}

function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, one) => sum + one, 0) / numbers.length;
}
