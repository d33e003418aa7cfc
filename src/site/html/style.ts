/** The one style sheet, inside every page, and how the Content-Security-Policy names it. */
import { createHash } from 'node:crypto';
import { Html } from './html.ts';

const CSS = `
:root{color-scheme:light dark;--paper:#fbfaf7;--card:#fff;--ink:#1c2321;--soft:#56605d;--line:#dcdfda;--accent:#0b5d4b;--accent-soft:#e4f0ec;--code:#f1f1ec;--warn:#7a2e00;--warn-paper:#ffe7c7}
@media (prefers-color-scheme:dark){:root{--paper:#121615;--card:#1a201e;--ink:#e7ebe8;--soft:#a3ada9;--line:#333b38;--accent:#6fd0b5;--accent-soft:#1c332c;--code:#222927;--warn:#ffd9a3;--warn-paper:#4a2600}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;text-size-adjust:100%;scroll-padding-top:1rem}
body{margin:0;background:var(--paper);color:var(--ink);font:1rem/1.6 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}
a{color:var(--accent);text-underline-offset:.15em}
a:hover{text-decoration-thickness:2px}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px;border-radius:3px}
.skip{position:absolute;left:-99rem}
.skip:focus{left:1rem;top:1rem;background:var(--card);padding:.5rem 1rem;z-index:1}
.banner{margin:0;max-width:none;padding:.6rem 1rem;background:var(--warn-paper);color:var(--warn);text-align:center}
.wrap{max-width:66rem;margin:0 auto;padding-inline:1rem}
.top{border-bottom:1px solid var(--line)}
.top .wrap{display:flex;flex-wrap:wrap;align-items:center;gap:.25rem 1.5rem;padding-top:.6rem;padding-bottom:.6rem}
.brand{display:flex;align-items:center;gap:.55rem;font-weight:700;font-size:1.15rem;color:var(--ink);text-decoration:none;margin-right:auto}
.top ul{display:flex;flex-wrap:wrap;gap:.1rem 1.1rem;list-style:none;margin:0;padding:0}
.top li a{display:block;padding:.35rem 0;color:var(--soft);text-decoration:none}
.top li a:hover,.top li a[aria-current]{color:var(--ink);text-decoration:underline;text-decoration-color:var(--accent);text-decoration-thickness:2px;text-underline-offset:.4em}
main{padding-block:2rem 3rem}
h1{font-size:clamp(1.6rem,1.2rem + 2vw,2.4rem);line-height:1.2;margin:0 0 .75rem;text-wrap:balance}
h2{font-size:1.4rem;line-height:1.3;margin:2.25rem 0 .75rem}
h3{font-size:1.1rem;line-height:1.4;margin:2.25rem 0 .5rem}
p,ul,ol,dl{margin:0 0 1rem}
p,main li,dd{max-width:46rem}
.text li,main>ul:not(.links) li{margin-bottom:.35rem}
.lead{font-size:1.1rem;color:var(--soft)}
.soft{color:var(--soft)}
.table{overflow-x:auto;margin:0 0 1.25rem;border:1px solid var(--line);border-radius:.6rem;background:var(--card)}
table{border-collapse:collapse;width:100%}
caption{text-align:left;padding:.7rem .9rem 0;color:var(--soft);font-size:.9rem}
th,td{text-align:left;vertical-align:top;padding:.6rem .9rem;border-bottom:1px solid var(--line)}
tr:last-child>*{border-bottom:0}
thead th{font-size:.85rem;color:var(--soft);font-weight:600;white-space:nowrap}
tbody th{font-weight:600}
.num{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
.prices tbody>tr>*{vertical-align:baseline}
.prices td{font-size:1.15rem}
.prices .mean{font-weight:700}
.unit{font-size:.8rem;color:var(--soft);font-weight:400}
.none{font-size:.9rem;color:var(--soft);font-weight:400}
.facts{display:grid;grid-template-columns:repeat(auto-fit,minmax(13rem,1fr));gap:.75rem;margin:1.25rem 0}
.facts div{border:1px solid var(--line);border-radius:.6rem;padding:.7rem .9rem;background:var(--card)}
.facts dt{font-size:.85rem;color:var(--soft)}
.facts dd{margin:0;font-weight:600;font-size:1.1rem}
.links{display:grid;grid-template-columns:repeat(auto-fit,minmax(17rem,1fr));gap:.75rem;list-style:none;padding:0}
.links a{display:block;height:100%;border:1px solid var(--line);border-radius:.6rem;padding:.8rem .9rem;background:var(--card);color:var(--ink);text-decoration:none}
.links a:hover{border-color:var(--accent)}
.links b{display:block;color:var(--accent)}
.links span{color:var(--soft);font-size:.95rem}
code,pre{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace;font-size:.9em}
code{background:var(--code);padding:.1em .3em;border-radius:.3em;overflow-wrap:anywhere}
pre{margin:0 0 1.25rem;padding:.8rem .9rem;background:var(--code);border:1px solid var(--line);border-radius:.6rem;overflow-x:auto}
pre code{padding:0;font-size:inherit;background:none;overflow-wrap:normal}
.named{border:1px solid var(--line);border-radius:.6rem;background:var(--card);margin:0 0 1.25rem}
.named div{display:grid;grid-template-columns:minmax(0,15rem) minmax(0,1fr);gap:.1rem 1.25rem;padding:.5rem .9rem}
.named div+div{border-top:1px solid var(--line)}
.named dt code{font-weight:600}
.named dd{margin:0}
.type{display:block;font-size:.85rem;font-weight:400;color:var(--soft)}
h4{font-size:.9rem;font-weight:600;color:var(--soft);margin:0 0 .35rem}
.method{display:inline-block;background:var(--accent-soft);color:var(--accent);border-radius:.3em;padding:0 .45em;font-size:.85em}
.access{font-size:.95rem;color:var(--soft);border-left:3px solid var(--accent);padding-left:.75rem}
.docs{display:grid;grid-template-columns:minmax(0,1fr);gap:0 3rem}
.toc{font-size:.95rem;border:1px solid var(--line);border-radius:.6rem;padding:.8rem .9rem;margin:1rem 0;background:var(--card);align-self:start}
.toc h2{font-size:.85rem;margin:0 0 .4rem;color:var(--soft)}
.toc ul{list-style:none;margin:0;padding:0}
.toc ul ul{padding-left:.9rem;font-size:.9em}
.toc a{display:block;padding:.15rem 0;text-decoration:none;overflow-wrap:anywhere}
.toc a:hover{text-decoration:underline}
@media (min-width:64rem){.docs{grid-template-columns:16rem minmax(0,1fr)}.docs>.intro{grid-column:1/-1}.toc{position:sticky;top:1rem;max-height:calc(100vh - 2rem);overflow-y:auto}.text>h2:first-child,.text>section:first-child>h2{margin-top:1rem}}
@media (max-width:34rem){.top ul{column-gap:.8rem;font-size:.95rem}caption{padding-inline:.6rem}.named div{grid-template-columns:minmax(0,1fr)}.type{display:inline}.errors th,.errors td{display:block;border:0;padding-block:.1rem}.errors tr{display:block;padding-block:.5rem;border-bottom:1px solid var(--line)}.errors tr:last-child{border:0}.errors thead{display:none}th,td{padding:.5rem .6rem}.prices .unit{display:block}.prices td{font-size:1.05rem}}
.foot{border-top:1px solid var(--line);color:var(--soft);font-size:.9rem}
.foot .wrap{padding-top:1.25rem;padding-bottom:2rem}
.foot p{margin:0 0 .4rem;max-width:none}
@media print{.top,.toc,.skip{display:none}}
`;

/** The element that carries it. */
export const STYLE = new Html(`<style>${CSS}</style>`);

/** The only style the pages may have: no other can be smuggled in. */
export const STYLE_SOURCE = `'sha256-${createHash('sha256').update(CSS).digest('base64')}'`;
