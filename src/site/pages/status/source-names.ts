/** The names of price sources, as the beginning of a sentence. */
import type { Language, LocalizedText } from '../../../domain/localized-text.ts';
import { type SourceKind, sourceKind } from '../../../domain/reports/source-kind.ts';
import { networkOf } from '../../../domain/stations/network.ts';

const NAMES: Readonly<Record<SourceKind, (network: string) => LocalizedText>> = {
  register: () => ({ ro: 'Monitorul Prețurilor', en: 'The national price monitor' }),
  list: (network) => ({ ro: `Lista de prețuri ${network}`, en: `The price list of ${network}` }),
  network: (network) => ({ ro: `Pagina ${network}`, en: `The page of ${network}` }),
  manual: () => ({ ro: 'Raportarea manuală', en: 'Manual reporting' }),
  locator: (network) => ({ ro: `Lista de stații ${network}`, en: `The station list of ${network}` }),
};

/** `Monitorul Prețurilor`, `Lista de prețuri Socar`. */
export function sourceTitle(source: string, language: Language): string {
  const brand = source.slice(source.indexOf(':') + 1).replaceAll('-', ' ');
  return NAMES[sourceKind(source)](networkOf(brand)?.name ?? brand)[language];
}
