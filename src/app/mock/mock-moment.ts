/** The moment at which the clock of the mock stands: 20 November 2026, 10:00 in Bucharest, epoch ms. */
export const MOCK_NOW = Date.parse('2026-11-20T08:00:00Z');

/** The sources in service at that moment. */
export const MOCK_SOURCES: readonly string[] = ['register', 'manual'];
