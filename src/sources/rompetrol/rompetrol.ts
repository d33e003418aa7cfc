/**
 * The station list of rompetrol.ro as a source: stations, and prices inside the HTML of their windows on the map.
 *
 * | field of the feed                      | ours                                                             |
 * | -------------------------------------- | ---------------------------------------------------------------- |
 * | `id`                                   | `sourceId`                                                       |
 * | `name`                                 | `name`                                                           |
 * | `address`, `city`                      | `address`, the town once                                         |
 * | `lat`, `lng`                           | `lat`, `lng`; swapped back if they are mixed up                  |
 * | `county`                               | whether the station is in Romania (`is-romanian.ts`)                 |
 * | `services[]`                           | `services`; fuels without a price (`rompetrol-services.ts`)      |
 * | `infowindow`: `div.item > div.fuel`    | the fuel (`fuels.ts`)                                            |
 * | `infowindow`: `div.item > span.small`  | its price, RON a litre (`infowindow.ts`)                         |
 * | `infowindow`: `p`, `Program:`, `Telefon:` | `hours`, `phone`                                              |
 *
 * Rompetrol gives no date and no SIRUTA code: `observed` and `siruta` are `null`.
 */

import type { Gazetteer } from '../../domain/places/gazetteer.ts';
import type { Sweep } from '../../domain/reports/sweep.ts';
import { type StationFeed, sweepFeed } from '../feed/station-feed.ts';
import { type Source, SourceFailed, type SweepContext } from '../source.ts';
import { readRompetrolStation } from './rompetrol-station.ts';

const ROMPETROL = 'rompetrol';

/** The station list. If it has no readable price at all, the page must have changed: the source has failed. */
export function rompetrolSource(gazetteer: Gazetteer): Source {
  const feed: StationFeed = {
    name: ROMPETROL,
    request: {},
    read: (row, reject, context) => readRompetrolStation(row, reject, context, gazetteer),
  };
  return { name: ROMPETROL, sweep: (context) => sweepRompetrol(feed, context) };
}

async function sweepRompetrol(feed: StationFeed, context: SweepContext): Promise<Sweep> {
  const sweep = await sweepFeed(feed, context);
  if (sweep.readings.some(({ price }) => price !== null)) return sweep;
  throw new SourceFailed(`no price can be read at ${sweep.stations.length} stations; its infowindow must have changed`);
}
