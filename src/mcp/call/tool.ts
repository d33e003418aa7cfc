/** What a tool is: one file of `tools/` declares one, and `tools/all-tools.ts` lists them. */
import type { Static, TObject } from 'typebox';
import type { ToolCall } from './tool-call.ts';

/** Enough for an answer: a longer list costs a model more than it is worth. */
export const MAX_ROWS = 10;

/** One row of an answer. Prices are RON per litre. */
type Row = Readonly<Record<string, string | number | null>>;

export type ToolAnswer =
  | {
      /** What the rows are, in a sentence; or why there are none. */
      readonly lead: string;
      /** More than `MAX_ROWS` are cut off. Each with its text for people. */
      readonly rows: readonly { readonly data: Row; readonly text: string }[];
      /** What a reader must know of the rows, a sentence each. */
      readonly notes?: readonly string[];
      /** With what to ask for what follows. */
      readonly cursor?: string;
    }
  /** Why there is no answer, in words that a model can relay. */
  | { readonly refusal: string };

export type Tool = {
  readonly name: string;
  readonly title: string;
  /** For the model: what it answers, and when to call it. */
  readonly description: string;
  readonly input: TObject;
  /** `args` are of the form of `input`. */
  readonly answer: (args: unknown, call: ToolCall) => Promise<ToolAnswer>;
};

/** Declares a tool; `answer` receives arguments of the type that `input` describes. */
export function tool<const I extends TObject>(
  declaration: Omit<Tool, 'input' | 'answer'> & {
    readonly input: I;
    readonly answer: (args: Static<I>, call: ToolCall) => Promise<ToolAnswer>;
  },
): Tool {
  return { ...declaration, answer: (args, call) => declaration.answer(args as Static<I>, call) };
}
