/** Stations on motorways have no address of a street: they are known by the number of the motorway and a kilometre. */

/** `Autostrada A1, km 49+900`, `A2 km 65`, `Autostrada Soarelui Km 36`. */
const ON_MOTORWAY = /\bautostrad[aă]\b.*\bkm\b|\bA\s?\d{1,2}\b[\s,.-]*km\b/i;

/** Whether an address is that of a service area, which drivers reach without leaving the motorway. */
export function isMotorwayAddress(address: string): boolean {
  return ON_MOTORWAY.test(address);
}
