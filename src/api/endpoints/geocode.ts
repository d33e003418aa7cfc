/** Autocomplete of city names. */
import { type Gazetteer, SEARCH_LIMIT } from '../../domain/places/gazetteer.ts';
import { foldName, isLongerThanNames } from '../../domain/places/place-names.ts';
import { WEEKLY_CAPPED_ACCESS } from '../access/access-rules.ts';
import { PlacesSchema } from '../contract/schemas.ts';
import { API_TAGS } from '../contract/tags.ts';
import { type Endpoint, endpoint } from '../declaration/endpoint.ts';
import { text } from '../declaration/parameters.ts';
import { Body } from '../encoding/body.ts';
import { ok } from '../response/answer.ts';

const MIN_LENGTH = 2;

const placesAnswer = (results: readonly string[]) => ok(Body.singleUse(JSON.stringify({ results })));

/** `/geocode`, over the known places. */
export function placeEndpoints(places: Pick<Gazetteer, 'search'>): Endpoint[] {
  return [
    endpoint({
      operationId: 'searchPlaces',
      path: '/api/v1/geocode',
      tag: API_TAGS.places,
      summary: { ro: 'Completarea automată a numelui unui oraș', en: 'City-name autocomplete' },
      description: {
        ro: `Cel mult ${SEARCH_LIMIT} nume care conțin textul, indiferent de majuscule și diacritice, cele mai populate localități primele; cele cu același nume apar cu județul lor.`,
        en: `At most ${SEARCH_LIMIT} names that contain the text, ignoring letter case and diacritics, most populous first; places that share a name are listed with their county.`,
      },
      access: WEEKLY_CAPPED_ACCESS,
      needsNoPrices: true,
      parameters: {
        q: text({
          description: {
            ro: 'O parte din nume. Cu mai puțin de 2 caractere (fără spațiile de la capete) lista este goală.',
            en: 'Part of a name. With fewer than 2 characters (not counting spaces at the ends) the list is empty.',
          },
          example: 'cluj',
        }),
      },
      example: ['q'],
      answers: { 200: { description: { ro: 'Numele.', en: 'The names.' }, schema: PlacesSchema } },
      handle({ q }) {
        const text = q.trim();
        if ([...text].length < MIN_LENGTH) return placesAnswer([]);
        // Of a letter and its mark, or of punctuation, less is left to search for; longer texts are no names.
        if (isLongerThanNames(text) || foldName(text).length < MIN_LENGTH) return placesAnswer([]);
        return () => placesAnswer(places.search(text));
      },
    }),
  ];
}
