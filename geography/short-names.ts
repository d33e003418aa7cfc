/** Short names that people use for places, by plate code and official name. GeoNames has few of these. */
export const SHORT_NAMES: Readonly<Record<string, readonly string[]>> = {
  'AG Câmpulung': ['Câmpulung Muscel', 'Câmpulung Argeș'],
  'B București': ['Bucharest', 'Buc.', 'Sector 1', 'Sector 2', 'Sector 3', 'Sector 4', 'Sector 5', 'Sector 6'],
  'CJ Cluj-Napoca': ['Cluj'],
  'CT Constanța': ['C-ța', 'Cța'],
  'CV Sfântu Gheorghe': ['Sfântul Gheorghe'],
  'HR Odorheiu Secuiesc': ['Odorhei'],
  'MH Drobeta-Turnu Severin': ['Drobeta', 'Turnu Severin', 'Severin'],
  'MM Sighetu Marmației': ['Sighet'],
  'SJ Șimleu Silvaniei': ['Șimleul Silvaniei', 'Șimleu'],
  'SV Câmpulung Moldovenesc': ['Câmpulung Bucovina', 'Câmpulung'],
  'TR Roșiori de Vede': ['Roșiorii de Vede', 'Roșiori'],
};
