/** A worker thread that reads one price list, posts the result, and ends. */
import { parentPort, workerData } from 'node:worker_threads';
import { SourceFailed } from '../source.ts';
import type { ListTable } from './list-table.ts';
import { type ListReadRequest, readList } from './read-list.ts';

export type WorkerAnswer = { readonly table: ListTable } | { readonly failed: string };

function answerRequest(question: ListReadRequest): WorkerAnswer {
  try {
    return { table: readList(question) };
  } catch (error) {
    if (error instanceof SourceFailed) return { failed: error.message };
    throw error;
  }
}

parentPort?.postMessage(answerRequest(workerData as ListReadRequest));
