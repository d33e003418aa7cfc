/** The files for people: licence, errata, citation. */
import { dayText } from '../../domain/days.ts';
import { DATA_CREDIT, LICENCE, SERVICE_NAME } from '../../domain/service-identity.ts';
import type { DumpManifest, Erratum } from '../manifest.ts';
import { DESCRIPTION, homeOf, LICENCE_TITLE, SIMULATED, TITLE } from './dump-identity.ts';

/** @param address of the folder, with a slash at its end */
export function licenceText({ allowed, simulated }: DumpManifest, address: string): string {
  return `${simulated ? `${SIMULATED.ro} ` : ''}${TITLE.ro}
${address}

Licența: ${LICENCE_TITLE} (${LICENCE.name}), ${LICENCE.url}
Puteți copia, schimba și folosi datele, și comercial, dacă menționați sursa (${SERVICE_NAME}, cu adresa) și licența.
Sursele rândurilor: ${allowed.join(', ')}; coloana „sursa” arată sursa fiecărui rând.
Localitățile: ${DATA_CREDIT}.
Prețurile sunt orientative; la pompă contează prețul afișat acolo.

Licence: ${LICENCE_TITLE} (${LICENCE.name}), ${LICENCE.url}
You may copy, change and use the data, commercially too, if you credit ${SERVICE_NAME}, with its address, and name the licence.
Sources of the rows: ${allowed.join(', ')}; the column "sursa" gives the source of each row.
Places: ${DATA_CREDIT}.
The prices are indicative; what counts is the price at the pump.
`;
}

export function errataText({ errata }: DumpManifest): string {
  const lines = errata.map(erratumLine).join('');
  return `# Erată / Errata

Fișierele lunilor încheiate nu se schimbă. O corectură are un fișier nou, cu alt nume, și un rând aici.
The files of past months never change. A correction has a new file, with another name, and a line here.

${lines === '' ? 'Nicio corectură. / No corrections.\n' : lines}`;
}

function erratumLine({ day, why, before, after }: Erratum): string {
  const now = after === null ? 'retras / withdrawn' : `\`${after.path}\` (sha256 ${after.sha256})`;
  return `- ${day}: \`${before.path}\` (sha256 ${before.sha256}) → ${now}: ${why}\n`;
}

/** Citation File Format 1.2. */
export function citationText({ madeAt, updatedAt, simulated }: DumpManifest, address: string): string {
  const title = simulated ? `${SIMULATED.ro} ${TITLE.ro}` : TITLE.ro;
  return `cff-version: 1.2.0
type: dataset
title: ${JSON.stringify(title)}
message: ${JSON.stringify('Dacă folosiți datele, citați-le așa. / If you use the data, please cite them like this.')}
abstract: ${JSON.stringify(`${DESCRIPTION.ro} / ${DESCRIPTION.en}`)}
authors:
  - name: ${JSON.stringify(SERVICE_NAME)}
    website: ${JSON.stringify(`${homeOf(address)}/`)}
url: ${JSON.stringify(address)}
license: CC-BY-4.0
version: ${JSON.stringify(dayText(Math.floor((updatedAt ?? madeAt) / 86_400_000)))}
date-released: ${dayText(Math.floor(madeAt / 86_400_000))}
`;
}
