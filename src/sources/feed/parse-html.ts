/** Parses untrusted HTML within limits: it runs no scripts and fetches nothing. */
import { DomHandler, Parser } from 'htmlparser2';

export type HtmlDocument = DomHandler['root'];
export type HtmlNode = HtmlDocument['children'][number];
export type HtmlElement = Extract<HtmlNode, { readonly attribs: unknown }>;
export type HtmlPage = {
  readonly root: HtmlDocument;
  /** The elements still open at the end of the page: they are incomplete if the page was cut off. */
  readonly unclosed: ReadonlySet<HtmlElement>;
};
/** The maximum nesting depth and number of elements. */
export type HtmlLimits = { readonly depth: number; readonly elements: number };

/** A page has more elements than its limits allow. */
export class TooManyElements extends RangeError {
  readonly limit: number;

  constructor(limit: number) {
    super(`more than ${limit} elements`);
    this.limit = limit;
  }
}

const MAX_FRAGMENT_LENGTH = 20_000;
const FRAGMENT_LIMITS: HtmlLimits = { depth: 60, elements: 600 };
/** Elements that separate their text from the text around them. */
const BLOCKS = new Set('br div h1 h2 h3 h4 h5 h6 hr li p table td th tr ul'.split(' '));
/** Elements whose content is not visible on the page. */
const HIDDEN = new Set(['script', 'style', 'noscript']);

/** The tree of a fragment of a page, without scripts and styles; `null` if it exceeds the limits of a fragment. */
export function parseFragment(html: string): HtmlDocument | null {
  if (html.length > MAX_FRAGMENT_LENGTH) return null;
  try {
    return parsePage(html, FRAGMENT_LIMITS).root;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** The tree of a page or an XML document, without scripts and styles. Throws a RangeError beyond the limits. */
export function parsePage(html: string, limits: HtmlLimits): HtmlPage {
  const tree = new BoundedTree(limits);
  const parser = new Parser(tree, { recognizeSelfClosing: true, recognizeCDATA: true });
  parser.write(html);
  const unclosed = new Set(tree.openElements());
  parser.end();
  return { root: tree.root, unclosed };
}

/** The text of a node, with entities resolved and white space collapsed. */
export function textOf(node: HtmlNode | null): string {
  return node === null ? '' : spacedText(node).replaceAll(/\s+/g, ' ').trim();
}

function spacedText(node: HtmlNode): string {
  if (!('children' in node)) return node.data;
  const text = node.children.map(spacedText).join('');
  return 'attribs' in node && BLOCKS.has(node.name) ? ` ${text} ` : text;
}

/**
 * Builds the tree within limits: the parser takes linear time except for deep nesting, and code that reads the tree
 * recurses into it, so an unbounded tree would overflow the stack.
 */
class BoundedTree extends DomHandler {
  readonly #limits: HtmlLimits;
  #elements = 0;
  /** Number of open elements inside a hidden one, including itself. */
  #hidden = 0;

  constructor(limits: HtmlLimits) {
    super();
    this.#limits = limits;
  }

  openElements(): HtmlElement[] {
    return this.tagStack.filter((node) => 'attribs' in node);
  }

  override onopentag(name: string, attributes: Record<string, string>): void {
    const { depth, elements } = this.#limits;
    this.#elements += 1;
    if (this.#elements > elements) throw new TooManyElements(elements);
    if (this.tagStack.length + this.#hidden > depth) throw new RangeError('nested too deeply');
    if (this.#hidden > 0 || HIDDEN.has(name)) this.#hidden += 1;
    else super.onopentag(name, attributes);
  }

  override onclosetag(): void {
    if (this.#hidden > 0) this.#hidden -= 1;
    else super.onclosetag();
  }

  override ontext(text: string): void {
    if (this.#hidden === 0) super.ontext(text);
  }

  /** Comments and processing instructions are not visible. */
  override oncomment(): void {}
  override onprocessinginstruction(): void {}
}
