/** All faults, by room. */

import { ALERT_FAULTS } from './alerts.ts';
import { ALLOWANCE_FAULTS } from './allowances.ts';
import { ANSWER_FAULTS } from './answers.ts';
import { API_FAULTS } from './api.ts';
import { CALLER_FAULTS } from './callers.ts';
import { COLLECTION_FAULTS } from './collection.ts';
import { DATABASE_FAULTS } from './database.ts';
import type { Fault } from './fault.ts';
import { FEED_FAULTS } from './feeds.ts';
import { GATE_FAULTS } from './gate.ts';
import { GERMAN_FAULTS } from './germany.ts';
import { HOSTILE_FAULTS } from './hostile.ts';
import { HOUSE_FAULTS } from './house.ts';
import { KEY_FAULTS } from './keys.ts';
import { OUTSIDE_FAULTS } from './outside.ts';
import { REVIEW_FAULTS } from './reviews.ts';
import { ROAD_FAULTS } from './roads.ts';
import { RULE_FAULTS } from './rules.ts';
import { SNAPSHOT_FAULTS } from './snapshot.ts';
import { SOURCE_FAULTS } from './sources.ts';
import { STORE_FAULTS } from './store.ts';
import { VERB_FAULTS } from './verbs.ts';
import { WIRE_FAULTS } from './wire.ts';
import { WORKER_FAULTS } from './worker.ts';

export const FAULTS: readonly Fault[] = [
  ...RULE_FAULTS,
  ...COLLECTION_FAULTS,
  ...SNAPSHOT_FAULTS,
  ...API_FAULTS,
  ...ANSWER_FAULTS,
  ...WIRE_FAULTS,
  ...CALLER_FAULTS,
  ...GATE_FAULTS,
  ...KEY_FAULTS,
  ...ALLOWANCE_FAULTS,
  ...ROAD_FAULTS,
  ...SOURCE_FAULTS,
  ...FEED_FAULTS,
  ...OUTSIDE_FAULTS,
  ...STORE_FAULTS,
  ...DATABASE_FAULTS,
  ...REVIEW_FAULTS,
  ...WORKER_FAULTS,
  ...ALERT_FAULTS,
  ...GERMAN_FAULTS,
  ...VERB_FAULTS,
  ...HOSTILE_FAULTS,
  ...HOUSE_FAULTS,
];
