/** The towns and stations that `MQTT_PLACES` names. */
import type { Gazetteer } from '../../domain/places/gazetteer.ts';
import type { Locality } from '../../domain/places/locality.ts';
import { stationIdOf } from '../../domain/stations/station-slug.ts';

export type MqttPlaces = {
  readonly cities: readonly Locality[];
  /** Ids of stations, which need not be served at present. */
  readonly stations: readonly string[];
};

/** Sorts names into ids of stations and slugs of towns; a sentence says which one is neither. */
export function mqttPlaces(
  names: readonly string[],
  gazetteer: Pick<Gazetteer, 'localityBySlug'>,
): MqttPlaces | string {
  const cities: Locality[] = [];
  const stations: string[] = [];
  for (const name of new Set(names)) {
    const city = gazetteer.localityBySlug(name);
    if (city !== undefined) cities.push(city);
    else if (stationIdOf(name) === name) stations.push(name);
    else return `MQTT_PLACES: "${name}" is neither the slug of a town, such as cluj-napoca, nor the id of a station`;
  }
  return { cities, stations };
}
