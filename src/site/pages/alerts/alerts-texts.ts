/** The texts of the page of alerts; every number comes from the rules themselves. */
import { ALERT_COOLDOWN, ALERT_RULES, MAX_ALERTS_PER_DAY, QUIET_HOURS } from '../../../domain/alerts/alert.ts';
import type { LocalizedText } from '../../../domain/localized-text.ts';
import { BANI, counted, DAYS } from '../../html/counted.ts';

const { lowest, day, mean } = ALERT_RULES;
const HOUR_MS = 3_600_000;
const hours = ALERT_COOLDOWN.ms / HOUR_MS;
const bani = (price: number): LocalizedText => ({
  ro: counted(price / 10, BANI, 'ro'),
  en: counted(price / 10, BANI, 'en'),
});
const days = (count: number): LocalizedText => ({ ro: counted(count, DAYS, 'ro'), en: counted(count, DAYS, 'en') });
const clock = (hour: number): string => `${String(hour).padStart(2, '0')}:00`;
const smallest = Math.min(lowest.below, day.below, mean.below);

export const TEXTS = {
  heading: { ro: 'Alerte de preț', en: 'Price alerts' },
  title: {
    ro: `Alerte de preț la carburanți: scăderi de la ${bani(smallest).ro}, fără cont`,
    en: `Fuel price alerts in your browser: drops of ${bani(smallest).en} and more`,
  },
  lead: {
    ro: 'O notificare în browser când carburantul se ieftinește acolo unde alimentați. Gratuit, fără cont și fără adresă de e-mail.',
    en: 'A notification in your browser when fuel gets cheaper where you fill up. Free, without an account or an e-mail address.',
  },
  off: {
    ro: 'Alertele nu sunt pornite pe acest serviciu.',
    en: 'Alerts are not switched on in this service.',
  },
  mine: { ro: 'Alertele acestui browser', en: 'The alerts of this browser' },
  none: { ro: 'Acest browser nu are nicio alertă.', en: 'This browser has no alerts.' },
  end: { ro: 'Oprește', en: 'Stop' },
  how: { ro: 'Cum porniți o alertă', en: 'How to start an alert' },
  openPage: {
    ro: 'Deschideți pagina orașului: alertele ei sunt pentru benzină și motorină standard. Pe pagina unui carburant sunt numai pentru el.',
    en: 'Open the page of the city: its alerts are about standard petrol and diesel. On the page of a fuel they are about that fuel alone.',
  },
  tap: {
    ro: 'Apăsați „Anunță-mă când scade prețul…” și permiteți notificările. Browserul nu întreabă nimic înainte.',
    en: 'Tap “Alert me when the price … drops” and allow notifications. The browser asks nothing before that.',
  },
  stop: {
    ro: 'Pentru a opri alertele, apăsați din nou același buton, sau „Oprește” pe această pagină.',
    en: 'To stop the alerts, tap the same button again, or “Stop” on this page.',
  },
  cities: { ro: 'Orașe mari', en: 'Large cities' },
  whole: { ro: 'Pentru toată țara', en: 'For the whole country' },
  wholeAbout: {
    ro: 'Alerta urmărește cel mai mic preț din România, la benzină și motorină standard.',
    en: 'The alert is about the lowest price in Romania, of standard petrol and diesel.',
  },
  iphone: { ro: 'Pe iPhone și iPad', en: 'On iPhone and iPad' },
  iphoneAbout: {
    ro: 'Safari trimite notificări numai aplicațiilor de pe ecranul principal: apăsați Partajează, apoi „Adaugă la ecranul principal”, deschideți aplicația adăugată și porniți alerta din ea (iOS 16.4 sau mai nou).',
    en: 'Safari sends notifications only to apps on the home screen: tap Share, then “Add to Home Screen”, open the app that this adds and start the alert there (iOS 16.4 or later).',
  },
  when: { ro: 'Când primiți o alertă', en: 'When an alert is sent' },
  whenAbout: {
    ro: 'La fiecare publicare a prețurilor, dacă cel mai mic preț de acum îndeplinește una dintre reguli. Dacă sunt mai multe, alerta o spune pe prima.',
    en: 'At each publication of prices, if the lowest price now meets one of the rules. If several hold, the alert tells the first.',
  },
  rule: { ro: 'Regulă', en: 'Rule' },
  condition: { ro: 'Cel mai mic preț de acum este', en: 'The lowest price now is' },
  lowestName: { ro: `Minimul a ${days(lowest.days).ro}`, en: `Lowest of ${days(lowest.days).en}` },
  lowest: {
    ro: `cu cel puțin ${bani(lowest.below).ro} sub cel din fiecare dintre cele ${days(lowest.days).ro} dinainte, dintre care cel puțin ${lowest.known} sunt cunoscute`,
    en: `at least ${bani(lowest.below).en} below that of each of the ${days(lowest.days).en} before, of which at least ${lowest.known} are known`,
  },
  dayName: { ro: 'Scădere de la o zi la alta', en: 'Drop from one day to the next' },
  day: {
    ro: `cu cel puțin ${bani(day.below).ro} sub cel din ziua precedentă`,
    en: `at least ${bani(day.below).en} below that of the previous day`,
  },
  meanName: { ro: 'Sub medie', en: 'Below the average' },
  mean: {
    ro: `în medie cu cel puțin ${bani(mean.below).ro} sub cele din ultimele ${days(mean.days).ro}`,
    en: `on average at least ${bani(mean.below).en} below those of the last ${days(mean.days).en}`,
  },
  quiet: { ro: 'Când nu vă deranjăm', en: 'When we do not disturb you' },
  cooldown: {
    ro: `${hours} de ore după o alertă pentru același loc și carburant, afară de cazul în care prețul mai scade cu cel puțin ${bani(ALERT_COOLDOWN.unlessBelow).ro}.`,
    en: `For ${hours} hours after an alert for the same place and fuel, unless the price is at least ${bani(ALERT_COOLDOWN.unlessBelow).en} lower still.`,
  },
  daily: {
    ro: `După ${MAX_ALERTS_PER_DAY} alerte într-o zi pentru același loc și carburant.`,
    en: `After ${MAX_ALERTS_PER_DAY} alerts on one day for the same place and fuel.`,
  },
  night: {
    ro: `Între ${clock(QUIET_HOURS.from)} și ${clock(QUIET_HOURS.to)}, ora României. O scădere de noapte vă este anunțată dimineața, dacă mai este adevărată.`,
    en: `From ${clock(QUIET_HOURS.from)} to ${clock(QUIET_HOURS.to)}, Romanian time. A drop found at night is told in the morning, if it still holds.`,
  },
  counts: { ro: 'Ce prețuri contează', en: 'Which prices count' },
  trusted: {
    ro: 'Numai prețurile de încredere: unul îndoielnic, expirat sau retras nu pornește nicio alertă și nu este termen de comparație.',
    en: 'Only trusted prices: one that is doubtful, expired or withdrawn neither triggers an alert nor is compared with.',
  },
  same: {
    ro: 'Se compară aceleași benzinării, din aceeași sursă: una nouă sau revenită contează de a doua zi, deci un preț văzut prima dată nu este o scădere.',
    en: 'The same stations are compared, with prices from the same source: one that is new or back counts from the next day on, so a price seen for the first time is no drop.',
  },
  privacy: { ro: 'Ce se păstrează', en: 'What is kept' },
  privacyAbout: {
    ro: 'Adresa de notificare a browserului, cheile ei, orașul și carburantul. După ce opriți alertele, se șterg la prima trimitere pe care serviciul push al browserului o refuză.',
    en: 'The push address of the browser, its keys, the city and the fuel. After you stop the alerts, they are deleted at the first message that the push service of the browser refuses.',
  },
  privacyMore: { ro: 'Confidențialitate', en: 'Privacy' },
} as const satisfies Record<string, LocalizedText>;

/** The description of the page, with today's lowest price of petrol where it is known. */
export const description = (petrol: LocalizedText | null): LocalizedText => ({
  ro: `${petrol === null ? '' : `Azi, benzina costă în România de la ${petrol.ro} lei pe litru. `}Primiți o notificare în browser când prețul scade în orașul dumneavoastră, fără cont.`,
  en: `${petrol === null ? '' : `Petrol costs from ${petrol.en} lei a litre in Romania today. `}Get a notification in your browser when the price drops in your city, without an account.`,
});
