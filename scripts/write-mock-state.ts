/**
 * Writes the state that `pompa mock` serves: `node scripts/write-mock-state.ts`. A test fails when the file is another
 * than this.
 */
import { writeFileSync } from 'node:fs';
import { encodeMockState, MOCK_STATE_FILE } from '../src/app/mock/mock-state.ts';
import { loadGazetteer } from '../src/geodata/load-gazetteer.ts';
import { simulatedState } from './simulated-state.ts';

writeFileSync(MOCK_STATE_FILE, encodeMockState(simulatedState(loadGazetteer())));
