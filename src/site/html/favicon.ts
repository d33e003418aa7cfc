/** The logo of the service: a drop. */
import { html } from './html-template.ts';

export const FAVICON = html`<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64" viewBox="0 0 64 64"><rect width="64" height="64" rx="14" fill="#0b5d4b"/><path d="M32 10C32 10 16 29 16 39a16 16 0 0 0 32 0C48 29 32 10 32 10Z" fill="#fff"/><path d="M25 38a8 8 0 0 0 7 9" fill="none" stroke="#0b5d4b" stroke-width="4" stroke-linecap="round"/></svg>
`;
