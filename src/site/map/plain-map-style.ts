/** The style of maps for programs that know neither variables nor colour schemes: the light one, with its values. */
import { MAP_CSS } from '../html/style.ts';

/** The rules; texts have the font of what is around them. */
export const PLAIN_MAP_CSS = plainStyle(MAP_CSS);

function plainStyle(css: string): string {
  const light = css.replaceAll(/@media[^{]*\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}/g, '');
  const values = new Map(
    [...light.matchAll(/(--[a-z-]+):([^;}]+)/g)].map(([, name = '', value = '']) => [name, value]),
  );
  return light
    .replaceAll(/--[a-z-]+:[^;}]+;?/g, '')
    .replaceAll(/font-family:[^;}]+;?/g, '')
    .replaceAll(/var\((--[a-z-]+)\)/g, (_, name: string) => values.get(name) ?? 'none');
}
