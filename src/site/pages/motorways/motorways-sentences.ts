/** What a motorway costs in words: one sentence a fuel. */
import type { RoadFuel } from '../../../domain/fuel.ts';
import type { Language } from '../../../domain/localized-text.ts';
import { baniText, counted, STATIONS } from '../../html/counted.ts';
import { fuelAsSubject } from '../../parts/fuel-words.ts';
import { leiText, litresText } from '../journey/journey-amounts.ts';
import type { MeanPremium } from './motorways-data.ts';

/** A usual tank. */
const TANK_LITRES = 50;

/** `Pe A1 motorina costă în medie cu 37 de bani mai mult decât în localitățile apropiate: 18,50 lei …`. */
export function premiumSentence(
  where: string,
  fuel: RoadFuel,
  { premium, stations }: MeanPremium,
  language: Language,
): string {
  const subject = fuelAsSubject(fuel, language);
  const count = counted(stations, STATIONS, language);
  const bani = baniText(premium, language);
  const lei = leiText(Math.abs(premium * TANK_LITRES) / 1000, language);
  const litres = litresText(TANK_LITRES, language);
  if (premium === 0)
    return language === 'ro'
      ? `${where} ${subject} costă în medie cât în localitățile apropiate (${count}).`
      : `${where} ${subject} costs on average as much as in the nearest towns (${count}).`;
  return language === 'ro'
    ? `${where} ${subject} costă în medie cu ${bani} mai ${premium > 0 ? 'mult' : 'puțin'} decât în localitățile apropiate: ${lei} ${premium > 0 ? 'în plus' : 'în minus'} la un plin de ${litres} (${count}).`
    : `${where} ${subject} costs on average ${bani} ${premium > 0 ? 'more' : 'less'} than in the nearest towns: ${lei} ${premium > 0 ? 'more' : 'less'} for a tank of ${litres} (${count}).`;
}
