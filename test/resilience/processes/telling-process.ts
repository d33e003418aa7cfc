/** Tells the changes of DATABASE until it is killed. */
import { DEFAULT_RANGES } from '../../../src/domain/fuel.ts';
import { loadGazetteer } from '../../../src/geodata/load-gazetteer.ts';
import { openDatabase } from '../../../src/store/connection/database.ts';
import type { Schema } from '../../../src/store/connection/schema.ts';
import { ChangeTeller } from '../../../src/worker/changes/change-teller.ts';

const log = { info: () => undefined, warn: () => undefined };
const database = await openDatabase<Schema>({ databaseUrl: process.env.DATABASE ?? '', dataDir: '', log });
const settings = { ranges: DEFAULT_RANGES, gazetteer: loadGazetteer(), inService: null };
new ChangeTeller({ database, settings, clock: Date.now, log }).start();
process.send?.('telling');
