/** One county: [plate code, name, GeoNames admin1 code, other names people write]. */
type CountyName = readonly [code: string, name: string, admin1: string, ...aliases: string[]];

/**
 * The 41 counties and București, by plate code. "Județul X" and "Jud. X" need no alias: the look-up drops the prefix.
 */
export const COUNTY_NAMES: readonly CountyName[] = [
  ['AB', 'Alba', '01'],
  ['AG', 'Argeș', '03'],
  ['AR', 'Arad', '02'],
  ['B', 'București', '10', 'Municipiul București', 'Mun. București', 'Orașul București', 'Bucharest'],
  ['BC', 'Bacău', '04'],
  ['BH', 'Bihor', '05'],
  ['BN', 'Bistrița-Năsăud', '06'],
  ['BR', 'Brăila', '08'],
  ['BT', 'Botoșani', '07'],
  ['BV', 'Brașov', '09'],
  ['BZ', 'Buzău', '11'],
  ['CJ', 'Cluj', '13'],
  ['CL', 'Călărași', '41'],
  ['CS', 'Caraș-Severin', '12'],
  ['CT', 'Constanța', '14'],
  ['CV', 'Covasna', '15'],
  ['DB', 'Dâmbovița', '16', 'Dîmbovița'],
  ['DJ', 'Dolj', '17'],
  ['GJ', 'Gorj', '19'],
  ['GL', 'Galați', '18'],
  ['GR', 'Giurgiu', '42'],
  ['HD', 'Hunedoara', '21'],
  ['HR', 'Harghita', '20'],
  ['IF', 'Ilfov', '43'],
  ['IL', 'Ialomița', '22'],
  ['IS', 'Iași', '23'],
  ['MH', 'Mehedinți', '26'],
  ['MM', 'Maramureș', '25'],
  ['MS', 'Mureș', '27'],
  ['NT', 'Neamț', '28'],
  ['OT', 'Olt', '29'],
  ['PH', 'Prahova', '30'],
  ['SB', 'Sibiu', '33'],
  ['SJ', 'Sălaj', '31'],
  ['SM', 'Satu Mare', '32'],
  ['SV', 'Suceava', '34'],
  ['TL', 'Tulcea', '37'],
  ['TM', 'Timiș', '36'],
  ['TR', 'Teleorman', '35'],
  ['VL', 'Vâlcea', '39', 'Vîlcea'],
  ['VN', 'Vrancea', '40'],
  ['VS', 'Vaslui', '38'],
];

/**
 * Plate code of a GeoNames `admin1` code; throws for a code that is not a Romanian county, since the data's format must
 * have changed.
 */
export function plateCode(admin1: string): string {
  const county = COUNTY_NAMES.find((entry) => entry[2] === admin1);
  if (!county) throw new Error(`GeoNames admin1 code ${admin1} is not a Romanian county`);
  return county[0];
}
