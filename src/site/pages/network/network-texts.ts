/** The texts of the page of a network. */
import { text } from '../../html/text.ts';

export const TEXTS = {
  heading: text(
    (network: string) => `Prețuri ${network} azi`,
    (network: string) => `${network} prices today`,
  ),
  title: text(
    (network: string) => `Prețuri ${network} azi`,
    (network: string) => `${network} prices today`,
  ),
  lead: text(
    (stations: string) => `${stations} în România, față de media pieței.`,
    (stations: string) => `${stations} in Romania, against the average of the market.`,
  ),
  description: text(
    (network: string, prices: string, stations: string) =>
      `Prețurile medii ${network} azi, în lei pe litru: ${prices}. ${stations}, cu cele mai ieftine și diferența față de piață.`,
    (network: string, prices: string, stations: string) =>
      `Average prices at ${network} today, in lei per litre: ${prices}. ${stations}, with the cheapest and the difference to the market.`,
  ),
  caption: text('Media prețurilor de încredere, lei pe litru', 'Average of trusted prices, lei per litre'),
  fuel: text('Carburant', 'Fuel'),
  own: text('Rețeaua', 'Network'),
  market: text('Piața', 'Market'),
  difference: text('Diferență', 'Difference'),
  spread: text('Pe stații', 'By station'),
  single: text('o singură stație', 'one station'),
  uniform: text('același preț peste tot', 'the same price everywhere'),
  nearlyUniform: text(
    (price: string, sharing: number, all: number) => `${price} la ${sharing} din ${all}`,
    (price: string, sharing: number, all: number) => `${price} at ${sharing} of ${all}`,
  ),
  between: text(
    (low: string, high: string) => `între ${low} și ${high}`,
    (low: string, high: string) => `between ${low} and ${high}`,
  ),
  cheapest: text(
    (fuel: string) => `Cele mai ieftine stații, la ${fuel}`,
    (fuel: string) => `Cheapest stations, for ${fuel}`,
  ),
  sharing: text(
    (stations: string, price: string, shown: number) =>
      `${stations} au cel mai mic preț, ${price} lei pe litru; mai jos sunt ${shown} dintre ele.`,
    (stations: string, price: string, shown: number) =>
      `${stations} have the lowest price, ${price} lei per litre; ${shown} of them are listed below.`,
  ),
  band: text(
    (network: string) => `8 din 10 benzinării ${network}`,
    (network: string) => `8 of 10 ${network} stations`,
  ),
  others: text('Alte rețele', 'Other networks'),
};
