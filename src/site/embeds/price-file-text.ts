/** The prices of one place as JSON, for `<pompa-pret>` and for anybody else. */
import { dayText, isoInstant } from '../../domain/days.ts';
import type { RoadFuel } from '../../domain/fuel.ts';
import { FUEL_SLUG } from '../../domain/pages/fuel-slug.ts';
import { LICENCE, SERVICE_NAME } from '../../domain/service-identity.ts';
import type { FileFuel, FilePrice, PriceFile } from '../embed-code/price-file.ts';
import type { SiteData } from '../frame/site-data.ts';
import type { RankedStation } from '../lookup/station-prices.ts';
import { addressWithCity } from '../parts/station-address.ts';
import { type PlaceKind, type PriceSubject, pricedFuels } from './price-subject.ts';

const KIND: Readonly<Record<PlaceKind, PriceFile['fel']>> = { city: 'oras', station: 'statie', country: 'tara' };

/** The file of a place. */
export function priceFileText(subject: PriceSubject, data: SiteData): string {
  const { snapshot, publicUrl, simulated } = data;
  const prices = pricedFuels(subject).map(
    (fuel) => [FUEL_SLUG.ro[fuel] as FileFuel, filePrice(subject, fuel, data)] as const,
  );
  const file: PriceFile = {
    fel: KIND[subject.kind],
    nume: subject.name,
    pagina: { ro: publicUrl + subject.pagePath('ro'), en: publicUrl + subject.pagePath('en') },
    data: dayText(snapshot.today),
    actualizat_la: snapshot.updatedAt === null ? null : isoInstant(snapshot.updatedAt),
    simulat: simulated,
    sursa: SERVICE_NAME,
    licenta: LICENCE.name,
    preturi: Object.fromEntries(prices),
  };
  return JSON.stringify(file);
}

function filePrice(subject: PriceSubject, fuel: RoadFuel, data: SiteData): FilePrice {
  const [offer] = subject.offersOf(fuel);
  const verdict = offer?.verdicts.get(fuel);
  return {
    pret: (subject.priceOf(fuel) as number) / 1000,
    statie: offer === undefined ? null : stationOf(offer, subject, data),
    observat: verdict?.kind === 'trusted' ? (verdict.fact.observed?.day ?? null) : null,
  };
}

function stationOf({ station, price }: RankedStation, { kind }: PriceSubject, { gazetteer }: SiteData) {
  const adresa = kind === 'city' ? station.address : addressWithCity(station, gazetteer);
  return { retea: station.network.name, adresa, pret: price / 1000 };
}
