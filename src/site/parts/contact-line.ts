/** How to reach the operator. */
import type { Language, LocalizedText } from '../../domain/localized-text.ts';
import type { SiteData } from '../frame/site-data.ts';
import { type Html, html } from '../html/html-template.ts';

const CONTACT: LocalizedText = {
  ro: 'Operatorul acestui serviciu răspunde la',
  en: 'Contact the operator of this service at',
};

const NO_CONTACT: LocalizedText = {
  ro: 'Operatorul acestui serviciu nu a indicat o adresă de contact.',
  en: 'The operator of this service has given no contact address.',
};

/** The e-mail address or page of somebody, to follow. */
export function contactLink(contact: string): Html {
  return html`<a href="${contact.includes('://') ? contact : `mailto:${contact}`}">${contact}</a>`;
}

/** Where the operator answers: the address that they gave, or else the one for customers. `null` = neither is set. */
export function contactOf({ contact, selling }: Pick<SiteData, 'contact' | 'selling'>): string | null {
  return contact ?? selling?.seller?.contact ?? null;
}

/** A sentence with the e-mail address or page of the operator, or that there is none. */
export function contactLine(contact: string | null, language: Language): Html {
  if (contact === null) return html`${NO_CONTACT[language]}`;
  return html`${CONTACT[language]} ${contactLink(contact)}.`;
}
