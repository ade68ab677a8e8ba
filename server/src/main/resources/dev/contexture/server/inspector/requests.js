// The requests of a conversation over time: what was read from the provider's cache, and what it cost.
import { pages } from './api.js';
import { base, links, tabs } from './conversation.js';
import { href } from './router.js';
import { badge, clock, empty, html, later, money, nothing, number, percent, plain, svg } from './ui.js';

const SHOWN = 2000;

export async function open(page) {
  const C = base(page.params);
  const state = { rows: [], more: false };
  const load = async () => {
    const { rows, more } = await pages(C + '/requests', 'requests', { most: SHOWN, signal: page.signal });
    Object.assign(state, { rows, more });
    page.redraw();
  };
  await load();
  page.changed = () => {};
  page.show({
    title: 'Requests',
    crumbs: [['Conversations', href([])], [page.params.user, href([], { user: page.params.user })], [page.params.conversation, links(page.params)]],
    twin: C + '/requests?limit=200',
    view: () => view(page, state),
  });
  page.follow(C + '/events', later(300, () => load().catch(() => {})));
}

/** What a request used: as the provider counted, else as predicted. */
export function used(row) {
  const usage = row.usage;
  if (usage) return { read: usage.cache_read, write: usage.cache_write + usage.cache_write_5m + usage.cache_write_1h, plain: usage.uncached, real: true };
  const predicted = row.predicted || {};
  return { read: predicted.read || 0, write: predicted.write || 0, plain: predicted.uncached || 0, real: false };
}

export const price = row => row.spent?.money ?? row.predicted?.money ?? null;

export function prefixBadge(row) {
  if (row.prefix === 'diverges') return badge('diverges', 'bad', 'something that was sent is another one now: the cache is lost from there on');
  if (row.prefix === 'rebased') return badge('rebased: ' + row.rebased_by, 'warn', 'the prefix was begun anew');
  return badge(row.prefix || '–', 'good', 'what was sent before is read from the cache');
}

function view(page, state) {
  if (!state.rows.length) return html`${tabs(page.params, 'Requests')}${empty('No request was built yet, or the records have expired.')}`;
  return html`${tabs(page.params, 'Requests')}
    <section class="panel" aria-label="Over time">${chart(page, state.rows.toReversed())}</section>
    <table class="rows calls"><thead><tr><th>Request</th><th>Turn</th><th>Prefix</th><th class="n">Input</th><th class="n">Read</th><th class="n">Written</th><th class="n">Uncached</th><th class="n">Output</th><th class="n">Cost</th></tr></thead>
    <tbody>${state.rows.map(row => line(page, row))}</tbody></table>
    ${state.more ? html`<p class="note">The newest ${number(SHOWN)}.</p>` : nothing}`;
}

function line(page, row) {
  const use = used(row);
  return html`<tr><td class="main"><a data-item href=${links(page.params, 'requests', row.request_id)}>${clock(row.ts)}</a> <span class="dim">${row.model}</span></td>
    <td dir="auto">${plain(row.turn_id || '–')}</td><td>${prefixBadge(row)}</td>
    <td class="n" data-name="input">${number(row.usage?.total_input ?? row.estimated_tokens)}</td>
    <td class="n" data-name="read">${number(use.read)}</td><td class="n" data-name="written">${number(use.write)}</td><td class="n" data-name="uncached">${number(use.plain)}</td>
    <td class="n" data-name="output">${row.usage ? number(row.usage.output) : html`<span class="dim" title="no answer was recorded">–</span>`}</td>
    <td class="n">${money(price(row), row.currency || 'USD')}</td></tr>`;
}

/** Per request a bar by what the cache did, epochs and compactions as marks, the cost so far as a line. */
function chart(page, rows) {
  const width = 1000;
  const height = 150;
  const most = Math.max(1, ...rows.map(row => { const use = used(row); return use.read + use.write + use.plain; }));
  const step = width / rows.length;
  let sum = 0;
  const sums = rows.map(row => (sum += price(row) || 0));
  const line = sums.map((value, i) => (i ? 'L' : 'M') + (i + 0.5) * step + ' ' + (height - (sum ? value / sum : 0) * (height - 10))).join('');
  const total = rows.reduce((all, row) => { const use = used(row); return { read: all.read + use.read, all: all.all + use.read + use.write + use.plain }; }, { read: 0, all: 0 });
  const bars = rows.map((row, i) => {
    const use = used(row);
    let y = height;
    const parts = [['read', use.read], ['write', use.write], ['plain', use.plain]].map(([kind, value]) => {
      const h = (value / most) * (height - 14);
      y -= h;
      return svg`<rect class=${'fill ' + kind} x=${i * step + step * 0.1} y=${y} width=${step * 0.8} height=${h}></rect>`;
    });
    const title = row.ts + '\nread ' + number(use.read) + ', written ' + number(use.write) + ', uncached ' + number(use.plain) + (row.rebased_by ? '\nrebased: ' + row.rebased_by : '') + (use.real ? '' : '\npredicted: no answer was recorded');
    const mark = row.prefix === 'diverges' ? 'bad' : row.prefix === 'rebased' ? 'warn' : '';
    return svg`<a href=${links(page.params, 'requests', row.request_id)} aria-label=${title} tabindex="-1"><title>${title}</title>${parts}${mark ? svg`<path class=${'mark ' + mark} d=${'M' + (i + 0.5) * step + ' 0l4 7h-8z'}></path>` : nothing}</a>`;
  });
  return html`<h2>Input tokens per call <span class="dim">${percent(total.all ? total.read / total.all : 0)} read from the cache, ${money(sum, rows.at(-1).currency || 'USD')} in all</span></h2>
    <svg class="chart" viewBox=${'0 0 ' + width + ' ' + (height + 2)} preserveAspectRatio="none" role="group" aria-label="Input tokens per call">${bars}<path class="cost" d=${line}></path></svg>
    <ul class="legend"><li><i class="fill read"></i>read from the cache</li><li><i class="fill write"></i>written to it</li><li><i class="fill plain"></i>uncached</li><li><i class="fill tail"></i>cost so far (line)</li><li>▲ the prefix was begun anew</li></ul>`;
}
