import { defineTests } from './test-groups.ts';

defineTests('worker');
