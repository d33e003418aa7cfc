/** `kill -9` of the process that makes dumps, at any moment: what is published is whole, and the next one completes it. */
import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { setUpCollector } from '../../../test/support/collection/collector-fixture.ts';
import { childrenOf } from '../../../test/support/processes/child-process.ts';
import { roundsOf, seededRandom } from '../../../test/support/run-settings.ts';
import { DEFAULT_RANGES } from '../../domain/fuel.ts';
import { readManifest } from '../../dumps/published/dump-folder.ts';
import { runDumpProcess } from './run-dump-process.ts';
