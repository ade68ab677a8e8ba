// The requests of a conversation over time: what was read from the provider's cache, and what it cost.
import { get, pages } from './api.js';
import { base, links, tabs } from './conversation.js';
import { href, refine } from './router.js';
import { badge, clock, empty, html, later, money, nothing, number, percent, plain, plural, svg } from './ui.js';

const SHOWN = 2000;
const FIRST = 200; // that are read before anything is shown
const ROWS = 150; // of the table that are drawn at once
const BARS = 300; // of the chart; beyond, neighbours share one
const SIMULATED = 100; // calls; more take long
const WHAT_IFS = ['ttl=1h', 'ttl=5m', 'k=1', 'k=2', 'k=8'];

export async function open(page) {
  const C = base(page.params);
  const state = { rows: [], more: false, drawn: ROWS, asked: '', what: null };
  const load = async (most = SHOWN) => {
    Object.assign(state, await pages(C + '/requests', 'requests', { most, signal: page.signal }));
    page.redraw();
  };
  await load(FIRST);
  const simulate = async () => {
    const wanted = page.query.what_if || '';
    if (wanted === state.asked) return;
    Object.assign(state, { asked: wanted, what: null });
    page.redraw();
    if (!wanted) return;
    const answer = await page.act(() => get(C + '/simulation?limit=' + SIMULATED + '&what_if=' + encodeURIComponent(wanted), page));
    if (answer && state.asked === wanted) state.what = { ...answer, at: new Map(answer.request_ids.map((id, i) => [id, i])) };
    page.redraw();
  };
  page.changed = simulate;
  page.show({
    title: 'Requests',
    crumbs: [['Conversations', href([])], [page.params.user, href([], { user: page.params.user })], [page.params.conversation, links(page.params)]],
    twin: C + '/requests?limit=200',
    view: () => view(page, state),
  });
  await Promise.all([state.more ? load() : null, simulate()]);
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

const CAUSES = {
  first: 'it is the first',
  model: 'it is the first to this model',
  erased: 'what was sent before is gone',
  compaction: 'a summary stands for what was sent before',
  model_changed: 'another model is asked',
  tools_changed: 'other tools are offered',
  cold_cache: 'the last call was longer ago than the cache lives, so that memory could be written anew for nothing',
  requested: 'it was asked for',
  does_not_fit: 'what changed in memory has no room behind the conversation',
  access_lost: 'the agent may not read a block any more that was shown',
  access_regained: 'the agent may read a block again that was shown',
  block_erased: 'a memory block that was shown was erased',
};

const summaryOf = row => (row.epoch || '').split(/[@+-]/)[0];

/** Why the prefix of a request was begun anew: its word and a sentence; null: it was not. */
export function rebased(row, before) {
  if (row.prefix !== 'rebased') return null;
  const word = before && summaryOf(before) !== summaryOf(row) ? 'compaction' : row.epoch_cause || row.rebased_by;
  if (word === 'compaction' && before && !summaryOf(row)) return { word: 'withdrawn', why: 'a summary was withdrawn' };
  return { word, why: CAUSES[word] || '' };
}

export function prefixBadge(row, before) {
  if (row.prefix === 'diverges') return badge('diverges', 'bad', 'something that was sent is another one now: the cache is lost from there on');
  const anew = rebased(row, before);
  if (anew) return badge('rebased: ' + anew.word.replace('_', ' '), 'warn', 'the prefix was begun anew: ' + anew.why);
  return badge(row.prefix || '–', 'good', 'what was sent before is read from the cache');
}

function view(page, state) {
  if (!state.rows.length) return html`${tabs(page.params, 'Requests')}${empty('No request was built yet, or the records have expired.')}`;
  return html`${tabs(page.params, 'Requests')}
    <section class="panel" aria-label="Over time">${chart(page, state.rows.toReversed(), state.what)}${choice(page, state)}</section>
    <table class="rows calls"><thead><tr><th>Request</th><th>Turn</th><th>Prefix</th><th class="n">Input</th><th class="n">Read</th><th class="n">Written</th><th class="n">Uncached</th><th class="n">Output</th><th class="n">Cost</th></tr></thead>
    <tbody>${state.rows.slice(0, state.drawn).map((row, i) => line(page, row, state.rows[i + 1]))}</tbody></table>
    ${state.drawn < state.rows.length ? html`<p><button @click=${() => { state.drawn += ROWS; page.redraw(); }}>More: ${number(state.rows.length - state.drawn)} older calls</button></p>` : nothing}
    ${state.more ? html`<p class="note">The newest ${number(SHOWN)}.</p>` : nothing}`;
}

function line(page, row, before) {
  const use = used(row);
  return html`<tr><td class="main"><a data-item href=${links(page.params, 'requests', row.request_id)}>${clock(row.ts)}</a> <span class="dim">${row.model}</span></td>
    <td dir="auto">${plain(row.turn_id || '–')}</td><td>${prefixBadge(row, before)}</td>
    <td class="n" data-name="input">${number(row.usage?.total_input ?? row.estimated_tokens)}</td>
    <td class="n" data-name="read">${number(use.read)}</td><td class="n" data-name="written">${number(use.write)}</td><td class="n" data-name="uncached">${number(use.plain)}</td>
    <td class="n" data-name="output">${row.usage ? number(row.usage.output) : html`<span class="dim" title="no answer was recorded">–</span>`}</td>
    <td class="n">${money(price(row), row.currency || 'USD')}</td></tr>`;
}

/** What another choice would have made of the same calls, as the simulator of caches says. */
function choice(page, state) {
  const form = html`<form class="tools whatif" @submit=${event => { event.preventDefault(); refine({ what_if: event.target.elements.what.value.trim() }); }}>
    <label>What if <input name="what" list="whatifs" size="24" placeholder="ttl=1h, k=2, model=NAME" .value=${page.query.what_if || ''}></label>
    <datalist id="whatifs">${WHAT_IFS.map(name => html`<option value=${name}></option>`)}</datalist><button>Simulate</button>
    ${page.query.what_if ? html`<button type="button" class="quiet" @click=${() => refine({ what_if: '' })}>As it was</button>` : nothing}</form>`;
  if (!state.what) return html`${form}${state.asked ? html`<p class="loading">Simulating…</p>` : nothing}`;
  const { actual, what_if: other } = state.what;
  if (!actual) return html`${form}<p class="note">No body of these calls is kept.</p>`;
  const change = actual.total.cost ? (other.total.cost - actual.total.cost) / actual.total.cost : 0;
  return html`${form}<p role="status"><b>${(change > 0 ? '+' : change < 0 ? '−' : '±') + percent(Math.abs(change))}</b> ${badge(state.asked, 'warn')} ${sum(other)} instead of ${sum(actual)}, for the newest ${plural(state.what.request_ids.length, 'call')} as the simulator counts them; read from the cache ${number(other.total.read)} instead of ${number(actual.total.read)}.</p>`;
}

const sum = report => (report.total.money ? money(report.total.money.cost, report.total.money.currency) : number(report.total.cost) + ' plain input tokens');

/** Calls that share a bar, oldest first: sums of what they used. */
function groups(rows, what) {
  const size = Math.ceil(rows.length / BARS);
  const all = [];
  for (let i = 0; i < rows.length; i += size) {
    const some = rows.slice(i, i + size);
    const group = { rows: some, from: i + 1, read: 0, write: 0, plain: 0, price: 0, mark: '', other: null };
    for (const [k, row] of some.entries()) {
      const use = used(row);
      for (const kind of ['read', 'write', 'plain']) group[kind] += use[kind];
      group.price += price(row) || 0;
      const anew = rebased(row, rows[i + k - 1]);
      if (row.prefix === 'diverges') group.mark = 'bad';
      else if (anew?.word === 'compaction' && group.mark !== 'bad') group.mark = 'cut';
      else if (anew && !group.mark) group.mark = 'warn';
      if (anew) group.why = anew;
      const at = what?.at.get(row.request_id);
      if (at === undefined) continue;
      const then = what.what_if.requests[at];
      group.other ??= { read: 0, write: 0, plain: 0, saved: 0 };
      group.other.read += then.read;
      group.other.write += then.write;
      group.other.plain += then.uncached;
      group.other.saved += what.actual.requests[at].cost - then.cost;
    }
    all.push(group);
  }
  return all;
}

const MARKS = { warn: ' 0l4 7h-8z', cut: ' 0l4 4.5l-4 4.5l-4 -4.5z', bad: ' 9l4 -8h-8z' };

/** Per call a bar by what the cache did, epochs and compactions as marks, the cost so far as a line; beside it what another choice would do. */
function chart(page, rows, what) {
  const width = 1000;
  const height = 150;
  const all = groups(rows, what?.what_if ? what : null);
  const most = Math.max(1, ...all.flatMap(group => [group, group.other].filter(Boolean).map(use => use.read + use.write + use.plain)));
  const step = width / all.length;
  const stack = (use, x, w, kind) => {
    let y = height;
    return ['read', 'write', 'plain'].map(name => {
      const h = (use[name] / most) * (height - 14);
      y -= h;
      return svg`<rect class=${'fill ' + name + kind} x=${x} y=${y} width=${w} height=${h}></rect>`;
    });
  };
  const path = sums => sums.map((value, i) => (i ? 'L' : 'M') + (i + 0.5) * step + ' ' + (height - value * (height - 10))).join('');
  const running = list => { let total = 0; return list.map(value => (total += value)); };
  const costs = running(all.map(group => group.price));
  const end = costs.at(-1) || 0;
  const bars = all.map((group, i) => {
    const first = group.rows[0];
    const name = group.rows.length > 1 ? 'calls ' + group.from + ' to ' + (group.from + group.rows.length - 1) : first.ts;
    const title = name + '\nread ' + number(group.read) + ', written ' + number(group.write) + ', uncached ' + number(group.plain) + (group.why && group.rows.length === 1 ? '\nbegun anew: ' + group.why.why : '') + (group.other ? '\nwhat if: read ' + number(group.other.read) + ', written ' + number(group.other.write) + ', uncached ' + number(group.other.plain) : '');
    const w = group.other ? step * 0.42 : step * 0.8;
    return svg`<a href=${links(page.params, 'requests', first.request_id)} aria-label=${title} tabindex="-1"><title>${title}</title>${stack(group, i * step + step * 0.08, w, '')}${group.other ? stack(group.other, i * step + step * 0.5, w, ' other') : nothing}${group.mark ? svg`<path class=${'mark ' + group.mark} d=${'M' + (i + 0.5) * step + MARKS[group.mark]}></path>` : nothing}</a>`;
  });
  const open = rows.filter(row => !row.usage);
  const predicted = open.reduce((sum, row) => sum + (price(row) || 0), 0);
  const currency = rows.at(-1).currency || 'USD';
  const total = all.reduce((sums, group) => ({ read: sums.read + group.read, all: sums.all + group.read + group.write + group.plain }), { read: 0, all: 0 });
  const simulated = what?.what_if ? compared(all, path, running) : nothing;
  return html`<h2>Input tokens per call <span class="dim">${percent(total.all ? total.read / total.all : 0)} read from the cache, ${money(end, currency)} in all${predicted ? ', of it ' + money(predicted, currency) + ' predicted for ' + plural(open.length, 'call') + ' without an answer' : ''}${all.length < rows.length ? ', ' + number(Math.ceil(rows.length / BARS)) + ' calls in a bar' : ''}</span></h2>
    <p class="axis"><span>${number(most)} tokens</span><span>${money(end, currency)}</span></p>
    <svg class="chart" viewBox=${'0 0 ' + width + ' ' + (height + 2)} preserveAspectRatio="none" role="group" aria-label="Input tokens per call">${bars}<path class="cost" d=${path(costs.map(value => (end ? value / end : 0)))}></path>${simulated}</svg>
    <ul class="legend"><li><i class="fill read"></i>read from the cache</li><li><i class="fill write"></i>written to it</li><li><i class="fill plain"></i>uncached</li><li><i class="fill tail"></i>cost so far (line)</li>${what?.what_if ? html`<li><i class="fill summary"></i>saved so far by the other choice (dashed line), pale bars: its calls</li>` : nothing}<li><span class="sign warn">▲</span> the prefix was begun anew</li><li><span class="sign cut">◆</span> by a compaction</li><li><span class="sign bad">▼</span> something sent changed</li></ul>`;
}

/** What the other choice saves, up to each call; above the middle it is cheaper. */
function compared(all, path, running) {
  const saved = running(all.map(group => group.other?.saved || 0));
  const most = Math.max(1, ...saved.map(Math.abs));
  return svg`<path class="saved" d=${path(saved.map(value => 0.5 + value / most / 2))}></path>`;
}
