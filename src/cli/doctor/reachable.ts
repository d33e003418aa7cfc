/** Whether what the service asks is there: connections only, and one question to the operator's own routing engine. */

import { userAgentOf } from '../../app/feeds.ts';
import { reach } from '../../clients/http/reach.ts';
import { createRoadRouter } from '../../clients/routing/road-router.ts';
import { addressOf, type Config, isRemote } from '../../config/config.ts';
import { SETTINGS } from '../../config/settings.ts';
import { registerAuthorities } from '../../sources/register/requests/authorities.ts';
import { messageOf } from '../../store/database-errors.ts';
import { type Finding, span, unwell, well } from './finding.ts';

const WITHIN_MS = 5_000;
const SOON_MS = 7 * 86_400_000;
/** Addresses that the operator did not choose: these must not lead to a private host. */
const STANDARD = Object.values(SETTINGS).map(({ standard }) => standard);

/** What is switched on, and nothing else. Never rejects. */
export async function reachabilityFindings(config: Config, now: number): Promise<Finding[]> {
  const sources = config.SOURCES.flatMap((source) => {
    const address = addressOf(config, source);
    const name = `way to ${source}`;
    const ca = source === 'register' ? registerAuthorities() : undefined;
    return address === null ? [] : [wayTo(name, address, now, ca)];
  });
  const captcha = config.CAPTCHA_SECRET === null ? [] : [wayTo('way to the captcha', config.CAPTCHA_URL, now)];
  return Promise.all([...sources, ...captcha, germany(config, now), router(config)]);
}

async function wayTo(check: string, address: string, now: number, ca?: readonly string[]): Promise<Finding> {
  const { host } = new URL(address);
  try {
    const { ms, certificateEnds } = await reach(address, {
      withinMs: WITHIN_MS,
      ca,
      allowPrivate: !STANDARD.includes(address),
    });
    if (certificateEnds === null) return well(check, `${host} is there, ${ms} ms`);
    const left = certificateEnds - now;
    if (left < SOON_MS) {
      return unwell(check, `the certificate of ${host} ends in ${span(left)}`, 'tell whoever runs that service');
    }
    return well(check, `${host} is there, ${ms} ms, its certificate is good for ${span(left)}`);
  } catch (error) {
    const whose = isRemote(address)
      ? 'whether this machine reaches the internet, and whether the service is down'
      : 'what should listen there';
    return unwell(check, `${host} cannot be reached: ${messageOf(error)}`, `look ${whose}`);
  }
}

async function germany({ TANKERKOENIG_API_KEY, TANKERKOENIG_URL }: Config, now: number): Promise<Finding> {
  if (TANKERKOENIG_API_KEY === null) return well('Germany', 'off: /de-statii answers 503');
  return wayTo('Germany', TANKERKOENIG_URL, now);
}

/** From Cluj-Napoca to Turda: shows that it speaks the right language and has a map of the country. */
const FROM = { lat: 46.7712, lng: 23.6236 };
const TO = { lat: 46.5667, lng: 23.7833 };

async function router(config: Config): Promise<Finding> {
  const { ROUTER_URL: url, ROUTER_KIND: kind } = config;
  if (url === null) return well('routing engine', 'none: the built-in roads are used');
  const engine = createRoadRouter({ url, kind, userAgent: userAgentOf(config) });
  try {
    const way = await engine.way(FROM, TO);
    if (way !== 'impossible' && !('failed' in way)) return well('routing engine', `${engine.name} answers`);
    const why = way === 'impossible' ? 'it knows no way from Cluj-Napoca to Turda' : way.failed;
    return unwell(
      'routing engine',
      `${engine.name}: ${why}`,
      'look whether it runs with a map of Romania, and at ROUTER_KIND',
    );
  } catch (error) {
    return unwell('routing engine', messageOf(error), 'look at ROUTER_URL and ROUTER_KIND');
  } finally {
    await engine.close();
  }
}
