/** A mail as it leaves us: text and HTML say the same, and neither loads anything from anywhere. */
import type { Language } from '../localized-text.ts';

export type OutgoingMail = {
  /** One address, as `parseEmailAddress` returns it. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly language: Language;
  /** The left part of `Message-ID`: the same for each attempt to send the same mail. */
  readonly id: string;
  /** The time in its `Date`, epoch ms. */
  readonly at: number;
  /** Further headers, such as `List-Unsubscribe`; never from what a visitor typed. */
  readonly headers: Readonly<Record<string, string>>;
};
