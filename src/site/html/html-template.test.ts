import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseXml } from '@rgrove/parse-xml';
import fc from 'fast-check';
import { escapeMarkup, html } from './html-template.ts';
import { inlineMarkup } from './inline-markup.ts';

const anyText = fc.string({ unit: 'binary' });

describe('text put into a page', () => {
  it('never opens a tag or an entity and never leaves its attribute', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        assert.doesNotMatch(escapeMarkup(text), /[<>"']|&(?!(amp|lt|gt|quot|#39);)/);
      }),
    );
  });

  it('is parsed back unchanged, except for characters that XML cannot contain', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const { root } = parseXml(html`<p title="${text}">x${text}</p>`.text);
        // The parser, not this module, normalizes line ends and blanks.
        const blank = (one: string) => one.replaceAll(/\s/g, ' ');
        assert.equal(blank(root?.text ?? ''), blank(`x${text}`));
        assert.equal(blank(root?.attributes.title ?? ''), blank(text));
      }),
    );
  });

  it('keeps any text readable as XML', () => {
    fc.assert(fc.property(anyText, (text) => void parseXml(html`<p title="${text}">${text}</p>`.text)));
  });

  it('leaves finished markup unchanged, joins lists and renders null as nothing', () => {
    const items = ['a', '<b>'].map((item) => html`<li>${item}</li>`);
    assert.equal(
      html`<ul class="${null}">${items}${undefined}${0}</ul>`.text,
      '<ul class=""><li>a</li><li>&lt;b&gt;</li>0</ul>',
    );
  });
});

describe('prose', () => {
  it('marks code and links, and escapes both', () => {
    const shown = html`${inlineMarkup('see `a<b` and [the `x` page](/p?a=1&b="2")')}`;
    assert.equal(
      shown.text,
      'see <code>a&lt;b</code> and <a href="/p?a=1&amp;b=&quot;2&quot;">the <code>x</code> page</a>',
    );
  });
});
