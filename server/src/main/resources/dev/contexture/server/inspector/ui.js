// What pages are made of: numbers, times, bars, texts of others. Templates are lit-html's, which
// keeps every value text; no page sets markup or a style attribute.
import { html, nothing, render, svg } from './lit-html.js';
import { address } from './api.js';

export { html, nothing, render, svg };

const WHOLE = new Intl.NumberFormat('en');
const SHORT = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

export const number = value => (value === undefined || value === null ? '–' : WHOLE.format(Math.round(value)));
export const short = value => (value === undefined || value === null ? '–' : SHORT.format(value));
export const percent = value => Math.round(value * 100) + ' %';
export const plural = (count, one, many = one + 's') => number(count) + ' ' + (count === 1 ? one : many);

/** An amount of money; small ones keep two figures that count. */
export function money(value, currency = 'USD') {
  if (value === undefined || value === null) return '–';
  const digits = value === 0 || value >= 1 ? 2 : Math.min(6, 1 - Math.floor(Math.log10(value)));
  return new Intl.NumberFormat('en', { style: 'currency', currency, minimumFractionDigits: Math.max(2, digits), maximumFractionDigits: Math.max(2, digits) }).format(value);
}

/** How long ago, with the exact time as its title. */
export function ago(ts, now = Date.now()) {
  if (!ts) return html`<span class="dim">–</span>`;
  const seconds = Math.max(0, (now - Date.parse(ts)) / 1000);
  const [size, unit] = seconds < 60 ? [1, 's'] : seconds < 3600 ? [60, 'min'] : seconds < 86400 ? [3600, 'h'] : [86400, 'd'];
  return html`<time datetime=${ts} title=${ts}>${seconds < 5 ? 'now' : Math.floor(seconds / size) + ' ' + unit}</time>`;
}

export const clock = ts => html`<time datetime=${ts} title=${ts}>${ts.slice(0, 10)} ${ts.slice(11, 19)}</time>`;

// Characters that would hide what a text says, or change the order in which it is read.
const STRANGE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u180e\u200b-\u200f\u2028-\u202e\u2060-\u2069\u3164\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;
const NAMES = { '\u202a': 'LRE', '\u202b': 'RLE', '\u202c': 'PDF', '\u202d': 'LRO', '\u202e': 'RLO', '\u2066': 'LRI', '\u2067': 'RLI', '\u2068': 'FSI', '\u2069': 'PDI', '\u200e': 'LRM', '\u200f': 'RLM', '\u200b': 'ZWSP', '\u200d': 'ZWJ', '\u200c': 'ZWNJ', '\ufeff': 'BOM', '\u001b': 'ESC', '\u0000': 'NUL' };
const JOINERS = '\u200d\u200c'; // emoji and some scripts are written with them

const nameOf = code => NAMES[code] || 'U+' + code.codePointAt(0).toString(16).toUpperCase().padStart(4, '0');

/** A text of somebody else where there can be no markup: in titles and labels. */
export const named = text => String(text).replace(STRANGE, code => (JOINERS.includes(code) ? code : '[' + nameOf(code) + ']'));

/** A text of somebody else: it stays text, and what cannot be seen in it is named. */
export function plain(text) {
  STRANGE.lastIndex = 0;
  if (!STRANGE.test(text)) return text;
  const parts = [];
  let from = 0;
  STRANGE.lastIndex = 0;
  for (let found = STRANGE.exec(text); found && parts.length < 2000; found = STRANGE.exec(text)) {
    const code = found[0];
    if (JOINERS.includes(code)) continue;
    parts.push(text.slice(from, found.index), html`<span class="strange" title="a character that is not shown">${nameOf(code)}</span>`);
    from = found.index + code.length;
  }
  parts.push(text.slice(from).replace(STRANGE, c => (JOINERS.includes(c) ? c : '�')));
  return parts;
}

/** A text with the words that were looked for marked in it. */
function marked(text, words) {
  const wanted = words.filter(Boolean).map(word => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  if (!wanted.length) return plain(text);
  return text.split(new RegExp('(' + wanted.join('|') + ')', 'gi')).map((part, i) => (i % 2 ? html`<mark>${plain(part)}</mark>` : plain(part)));
}

/** Where a text is cut: at the end of a line, or at least not in a word. */
function end(text, most) {
  const places = [text.lastIndexOf('\n', most), text.lastIndexOf(' ', most)];
  return places.find(at => at > most / 2) ?? most;
}

/** A text with the lines that begin with # as headings. */
const headed = text => text.split('\n').map((line, i) => [i ? '\n' : '', /^#+ /.test(line) ? html`<b class="head">${plain(line.replace(/^#+ /, ''))}</b>` : plain(line)]);

/** A long text of somebody else, folded behind its beginning, or around the first word that was looked for. */
export function content(text, { most = 1200, open = false, onOpen = null, kind = '', words = [] } = {}) {
  const long = text.length > most && !open;
  const first = Math.min(...words.filter(Boolean).map(word => text.toLowerCase().indexOf(word.toLowerCase())).filter(at => at >= 0));
  const from = long && Number.isFinite(first) && first > most * 0.9 ? first - Math.floor(most / 4) : 0;
  const shown = long ? text.slice(from, from + end(text.slice(from), most)) : text;
  return html`<div class=${'content ' + kind} dir="auto">${from ? '… ' : nothing}${kind === 'headed' ? headed(shown) : marked(shown, words)}${long && from + shown.length < text.length ? ' …' : nothing}</div>${long && onOpen
    ? html`<button class="more" @click=${onOpen}>${number(text.length - shown.length)} more characters</button>` : nothing}`;
}

export const badge = (text, kind = '', title = '') => html`<span class=${'badge ' + kind} title=${title ? named(title) : nothing}>${typeof text === 'string' ? plain(text) : text}</span>`;

/** Puts a text where it can be pasted from; over plain HTTP browsers have no clipboard for pages, so that it is selected and copied. */
async function copied(text) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const area = document.createElement('textarea');
  area.value = text;
  document.body.append(area);
  area.select();
  const done = document.execCommand('copy');
  area.remove();
  if (!done) throw new Error('the browser does not let this page copy');
  return undefined;
}

/** Copies a text; the button says that it did. */
export function copyButton(text, name = 'Copy') {
  const copy = async event => {
    const button = event.currentTarget;
    const had = document.activeElement;
    button.dataset.done = await copied(text).then(() => '✓', () => '✗');
    had?.focus();
    setTimeout(() => delete button.dataset.done, 1200);
  };
  return html`<button class="small copy" title=${name} aria-label=${name} @click=${copy}>Copy</button>`;
}

/** Parts of a whole as one bar with a legend: [{name, value, kind, title}]; 'more' stands in the legend alone. */
export function bar(parts, { whole = parts.reduce((sum, part) => sum + part.value, 0), legend = true, label = '', more = [] } = {}) {
  const shown = parts.filter(part => part.value > 0);
  let x = 0;
  const rects = shown.map(part => {
    const width = whole > 0 ? (part.value / whole) * 1000 : 0;
    const rect = svg`<rect class=${'fill ' + part.kind} x=${x} y="0" width=${Math.max(width, 1)} height="10"><title>${part.name}: ${number(part.value)}</title></rect>`;
    x += width;
    return rect;
  });
  const words = label || shown.map(part => part.name + ' ' + number(part.value)).join(', ');
  return html`<div class="bar">
    <svg viewBox="0 0 1000 10" preserveAspectRatio="none" role="img" aria-label=${words}>${rects}</svg>
    ${legend ? html`<ul class="legend">${[...shown, ...more].map(part => html`<li title=${part.title || nothing}><i class=${'fill ' + part.kind}></i>${part.name} <b>${number(part.value)}</b></li>`)}</ul>` : nothing}
  </div>`;
}

/** What the server refused, in its own words, with what it says about fields. */
export function problemPanel(problem) {
  const { type, title, status, detail, code, ...facts } = problem.body || {};
  const rows = Object.entries(facts);
  return html`<section class="problem" role="alert">
    <h1>${problem.status === 404 ? 'Not found' : 'This did not work'}</h1>
    <p>${plain(problem.message)}</p>
    ${rows.length ? html`<dl>${rows.map(([name, value]) => html`<dt>${name}</dt><dd>${plain(typeof value === 'string' ? value : JSON.stringify(value))}</dd>`)}</dl>` : nothing}
    <p class="note">${problem.code ? html`<code>${problem.code}</code>` : nothing} ${problem.status ? 'HTTP ' + problem.status : nothing} <a href="#/">Start</a></p>
  </section>`;
}

/** The same as data: beside the title of every page. */
export const twinLink = (path, shown) =>
  html`<a class="twin" href=${address(path)} title=${'GET ' + path} @click=${event => shown(event, path)}>JSON</a>`;

export const empty = (words, more = nothing) => html`<p class="empty">${words} ${more}</p>`;

/** A dot that says whether a page follows what happens. */
export const liveDot = state =>
  html`<span class=${'live ' + state} role="status">${state === 'live' ? 'live' : state === 'refused' ? 'not live' : 'connecting…'}</span>`;

/** Calls a function once, when nothing has asked for it for a while. */
export function later(millis, work) {
  let timer = 0;
  return (...given) => {
    clearTimeout(timer);
    timer = setTimeout(() => work(...given), millis);
  };
}

/** Runs async work for each item, a few at a time, until the signal ends it. */
export async function each(items, work, { signal, width = 3 } = {}) {
  const queue = [...items];
  const run = async () => {
    while (queue.length && !signal?.aborted) await work(queue.shift());
  };
  await Promise.all(Array.from({ length: width }, run));
}
