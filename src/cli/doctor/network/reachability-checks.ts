/**
 * Checks that outside services are reachable: connects only, and sends one request to the operator's own routing
 * engine.
 */

import { userAgentOf } from '../../../app/settings/derived-settings.ts';
import { checkReachable } from '../../../clients/http/reachability.ts';
import { createRoadRouter } from '../../../clients/routing/road-router.ts';
import { type Config, isRemote, sourceUrl } from '../../../config/config.ts';
import { SETTINGS } from '../../../config/settings.ts';
import { registerAuthorities } from '../../../sources/register/requests/authorities.ts';
import { messageOf } from '../../../store/database-errors.ts';
import { durationText, type Finding, fail, pass } from '../../reports/finding.ts';

const CONNECT_TIMEOUT_MS = 5_000;
const EXPIRY_WARNING_MS = 7 * 86_400_000;
/** Services whose address the operator did not choose: these must not resolve to a private host. */
const DEFAULT_ADDRESSES = Object.values(SETTINGS).map(({ defaultText }) => defaultText);

/** Checks what is switched on, and nothing else. Never rejects. */
export async function reachabilityFindings(config: Config, now: number): Promise<Finding[]> {
  const sources = config.SOURCES.flatMap((source) => {
    const address = sourceUrl(config, source);
    const name = `way to ${source}`;
    const ca = source === 'register' ? registerAuthorities() : undefined;
    return address === null ? [] : [checkService(name, address, now, ca)];
  });
  const captcha =
    config.CAPTCHA_KIND === 'recaptcha' ? [checkService('way to the captcha', config.CAPTCHA_URL, now)] : [];
  return Promise.all([...sources, ...captcha, germany(config, now), router(config)]);
}

async function checkService(check: string, address: string, now: number, ca?: readonly string[]): Promise<Finding> {
  const { host } = new URL(address);
  try {
    const { ms, certificateEnds } = await checkReachable(address, {
      withinMs: CONNECT_TIMEOUT_MS,
      ca,
      allowPrivate: !DEFAULT_ADDRESSES.includes(address),
    });
    if (certificateEnds === null) return pass(check, `${host} is reachable, ${ms} ms`);
    const left = certificateEnds - now;
    if (left < EXPIRY_WARNING_MS) {
      return fail(
        check,
        `the certificate of ${host} ends in ${durationText(left)}`,
        'tell the operator of that service',
      );
    }
    return pass(check, `${host} is reachable, ${ms} ms, its certificate is valid for ${durationText(left)}`);
  } catch (error) {
    const hint = isRemote(address)
      ? 'whether this machine reaches the internet, and whether the service is down'
      : 'what should listen there';
    return fail(check, `${host} cannot be reached: ${messageOf(error)}`, `check ${hint}`);
  }
}

async function germany({ TANKERKOENIG_API_KEY, TANKERKOENIG_URL }: Config, now: number): Promise<Finding> {
  if (TANKERKOENIG_API_KEY === null) return pass('Germany', 'off: /de-statii answers 503');
  return checkService('Germany', TANKERKOENIG_URL, now);
}

/** Cluj-Napoca to Turda: an answer shows that the engine speaks the expected protocol and has a map of the country. */
const FROM = { lat: 46.7712, lng: 23.6236 };
const TO = { lat: 46.5667, lng: 23.7833 };

async function router(config: Config): Promise<Finding> {
  const { ROUTER_URL: url, ROUTER_KIND: kind } = config;
  if (url === null) return pass('routing engine', 'none: the built-in roads are used');
  const engine = createRoadRouter({ url, kind, userAgent: userAgentOf(config) });
  try {
    const route = await engine.findRoute(FROM, TO);
    if (route !== 'no_route' && !('failed' in route)) return pass('routing engine', `${engine.name} answers`);
    const why = route === 'no_route' ? 'it finds no route from Cluj-Napoca to Turda' : route.failed;
    return fail(
      'routing engine',
      `${engine.name}: ${why}`,
      'check that it runs with a map of Romania, and check ROUTER_KIND',
    );
  } catch (error) {
    return fail('routing engine', messageOf(error), 'check ROUTER_URL and ROUTER_KIND');
  } finally {
    await engine.close();
  }
}
