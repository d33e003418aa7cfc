/** The answer of a tool as the protocol has it: text for people, the same rows as data, their age and licence. */
import type { CallToolResult } from '@modelcontextprotocol/server';
import { isoInstant } from '../domain/days.ts';
import { LICENCE, SERVICE_NAME } from '../domain/service-identity.ts';
import { Type } from '../json/json-schema.ts';
import { updatedText } from './call/age-text.ts';
import { MAX_ROWS, type ToolAnswer } from './call/tool.ts';
import type { ToolCall } from './call/tool-call.ts';

const UNIT = 'RON per litre';
const SIMULATED = 'The data of this service are simulated: these are not real prices.';

/** What every tool's structured answer is. The rows differ by tool. */
export const ANSWER_SCHEMA = Type.Object({
  summary: Type.String({ description: 'What the rows are.' }),
  rows: Type.Array(Type.Object({}, { additionalProperties: true }), { maxItems: MAX_ROWS }),
  notes: Type.Array(Type.String(), { description: 'What to know about the rows.' }),
  cursor: Type.Optional(Type.String({ description: 'With what to ask for what follows; opaque.' })),
  unit: Type.String({ description: 'The unit of every price.' }),
  updated_at: Type.Union([Type.String(), Type.Null()], { description: 'When the data were last updated, ISO 8601.' }),
  age: Type.String({ description: 'How long ago that was, in words.' }),
  licence: Type.String(),
  source: Type.String({ description: 'Who to credit.' }),
});

/** A refusal is a result with `isError`, so that the model reads it and can relay it. */
export function toolResult(answer: ToolAnswer, { data, snapshot }: ToolCall): CallToolResult {
  if ('refusal' in answer) return { isError: true, content: [{ type: 'text', text: answer.refusal }] };
  const rows = answer.rows.slice(0, MAX_ROWS);
  const notes = [...(answer.notes ?? []), ...(data.simulated ? [SIMULATED] : [])];
  const { updatedAt } = snapshot;
  const structured = {
    summary: answer.lead,
    rows: rows.map((row) => row.data),
    notes,
    ...(answer.cursor !== undefined && { cursor: answer.cursor }),
    unit: UNIT,
    updated_at: updatedAt === null ? null : isoInstant(updatedAt),
    age: updatedText(updatedAt, data.clock()),
    licence: `${LICENCE.name}, ${LICENCE.url}`,
    source: `${SERVICE_NAME}, ${data.publicUrl}`,
  };
  const footer = `Prices in ${UNIT}; ${structured.age}. Source: ${structured.source}; licence ${LICENCE.name}.`;
  const further = answer.cursor === undefined ? [] : [`To ask for what follows: cursor ${answer.cursor}`];
  const lines = rows.map((row, index) => `${index + 1}. ${row.text}`);
  const text = [answer.lead, ...lines, ...notes, ...further, footer].join('\n');
  return { content: [{ type: 'text', text }], structuredContent: structured };
}
