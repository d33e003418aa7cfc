/** Bodies of webhooks, for the description. */
import type { ChangesEventJson, PingEventJson, RestartEventJson } from '../contract/webhook-event-schemas.ts';

const TOLD_AT = '2026-11-20T08:00:00+00:00';

export const CHANGES_EVENT: ChangesEventJson = {
  type: 'modificari',
  timestamp: TOLD_AT,
  data: {
    webhook_id: '1',
    dupa: 'Zf3kQ0xA.8',
    pana_la: 'Zf3kQ0xA.9',
    total: 1,
    modificari: [
      {
        cursor: 'Zf3kQ0xA.9',
        fel: 'pret',
        statie_id: '0a1b2c3d4e5f',
        tip: 'motorina_standard',
        pret_vechi: 7.49,
        pret_nou: 7.44,
        motiv_vechi: null,
        motiv: null,
        sursa: 'anpc',
        observat_la: '2026-11-20T07:58:00+00:00',
        vazut_la: TOLD_AT,
      },
    ],
  },
};

export const PING_EVENT: PingEventJson = { type: 'ping', timestamp: TOLD_AT, data: { webhook_id: '1' } };

export const RESTART_EVENT: RestartEventJson = {
  type: 'reluare',
  timestamp: TOLD_AT,
  data: { webhook_id: '1', pana_la: 'q9TnB2vE.0' },
};
