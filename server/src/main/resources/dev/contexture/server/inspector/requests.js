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
    if (answer && state.asked === wanted) state.what = { ...answer, asked: wanted, at: new Map(answer.request_ids.map((id, i) => [id, i])) };
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
  if (anew) return badge('rebased: ' + anew.word.replaceAll('_', ' '), 'warn', 'the prefix was begun anew: ' + anew.why);
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
  return html`<tr><td class="main"><a data-item href=${links(page.params, 'requests', row.request_id)}>${clock(row.ts)}</a> <span class="dim">${plain(row.model)}</span></td>
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
    ${page.query.what_if ? html`<button type="button" @click=${() => refine({ what_if: '' })}>As it was</button>` : nothing}</form>`;
  if (!state.what) return html`${form}${state.asked ? html`<p class="loading">Simulating…</p>` : nothing}`;
  const { actual, what_if: other } = state.what;
  if (!actual) return html`${form}<p class="note">No body of these calls is kept.</p>`;
  const change = actual.total.cost ? (other.total.cost - actual.total.cost) / actual.total.cost : 0;
  const words = Math.abs(change) < 0.005 ? 'the same' : percent(Math.abs(change)) + (change > 0 ? ' dearer' : ' cheaper');
  return html`${form}<p role="status">With ${badge(state.asked, 'warn')} the ${plural(state.what.request_ids.length, 'call')} would cost <b>${sum(other)}</b> instead of <b>${sum(actual)}</b>: <b class=${change > 0.005 ? 'bad' : change < -0.005 ? 'good' : ''}>${words}</b>. ${plural(other.total.read, 'token')} would be read from the cache instead of ${number(actual.total.read)}.</p>
    <p class="note">Both are what the simulator of caches says of the input; what the provider counted, with the answers, stands in the table.</p>`;
}

const sum = report => (report.total.money ? money(report.total.money.cost, report.total.money.currency) : number(report.total.cost) + ' plain input tokens');

const none = () => ({ read: 0, write: 0, plain: 0, cost: 0 });

function add(sums, one) {
  for (const kind of Object.keys(sums)) sums[kind] += one[kind];
}

/** A call of a simulation in the words of the chart. */
const simulated = call => ({ read: call.read, write: call.write, plain: call.uncached, cost: call.cost });

/** Calls that share a bar, oldest first: sums of what they used; of a simulation both sides, as it counts them. */
function groups(rows, what) {
  const size = Math.ceil(rows.length / BARS);
  const all = [];
  for (let i = 0; i < rows.length; i += size) {
    const some = rows.slice(i, i + size);
    const group = { rows: some, from: i + 1, use: none(), other: what ? none() : null, mark: '' };
    for (const [k, row] of some.entries()) {
      const anew = rebased(row, rows[i + k - 1]);
      if (row.prefix === 'diverges') group.mark = 'bad';
      else if (anew?.word === 'compaction' && group.mark !== 'bad') group.mark = 'cut';
      else if (anew && !group.mark) group.mark = 'warn';
      if (anew) group.why = anew;
      const at = what?.at.get(row.request_id);
      if (what) {
        add(group.use, simulated(what.actual.requests[at]));
        add(group.other, simulated(what.what_if.requests[at]));
      } else {
        add(group.use, { ...used(row), cost: price(row) || 0 });
      }
    }
    all.push(group);
  }
  return all;
}

const MARKS = { warn: ' 0l4 7h-8z', cut: ' 0l4 4.5l-4 4.5l-4 -4.5z', bad: ' 9l4 -8h-8z' };
const WIDTH = 1000;
const HEIGHT = 150;

/** Per call a bar by what the cache did, epochs and compactions as marks, the cost so far as a line; with what another choice would do, both sides of the simulation. */
function chart(page, everything, answer) {
  const what = answer?.what_if ? answer : null;
  const rows = what ? everything.filter(row => what.at.has(row.request_id)) : everything;
  const all = groups(rows, what);
  const most = Math.max(1, ...all.flatMap(group => [group.use, group.other].filter(Boolean).map(use => use.read + use.write + use.plain)));
  const [costs, others] = [running(all.map(group => group.use.cost)), what ? running(all.map(group => group.other.cost)) : []];
  const top = Math.max(costs.at(-1) || 0, others.at(-1) || 0);
  const step = WIDTH / all.length;
  const line = sums => sums.map((value, i) => (i ? 'L' : 'M') + (i + 0.5) * step + ' ' + (HEIGHT - (top ? value / top : 0) * (HEIGHT - 10))).join('');
  return html`<h2>Input tokens per call <span class="dim">${what ? 'the newest ' + plural(rows.length, 'call') + ', as the simulator counts them' : heading(rows, all)}</span></h2>
    <p class="axis"><span>${plural(most, 'token')}</span><span>${what ? plain(top === costs.at(-1) ? sum(what.actual) : sum(what.what_if)) : money(top, currencyOf(rows))}</span></p>
    <svg class="chart" viewBox=${'0 0 ' + WIDTH + ' ' + (HEIGHT + 1)} preserveAspectRatio="none" role="group" aria-label="Input tokens per call">${all.map((group, i) => column(page, group, i * step, step, most))}
      <path class="zero" d=${'M0 ' + HEIGHT + 'H' + WIDTH}></path><path class="cost" d=${line(costs)}></path>${what ? svg`<path class="saved" d=${line(others)}></path>` : nothing}</svg>
    <p class="axis"><span>${moment(rows[0])}</span>${rows.length > 2 ? html`<span>${moment(rows[Math.floor(rows.length / 2)])}</span>` : nothing}<span>${rows.length > 1 ? moment(rows.at(-1)) : nothing}</span></p>
    <ul class="legend"><li><i class="fill read"></i>read from the cache</li><li><i class="fill write"></i>written to it</li><li><i class="fill plain"></i>uncached</li>${what ? html`<li><i class="fill read other"></i><i class="fill write other"></i><i class="fill plain other"></i>the same with ${plain(what.asked)}</li>` : nothing}
      <li><svg class="stroke" viewBox="0 0 24 8" aria-hidden="true"><path class="cost" d="M0 4H24"></path></svg>cost so far</li>${what ? html`<li><svg class="stroke" viewBox="0 0 24 8" aria-hidden="true"><path class="saved" d="M0 4H24"></path></svg>cost so far with ${plain(what.asked)}</li>` : nothing}
      <li><span class="sign warn">▲</span> the prefix was begun anew</li><li><span class="sign cut">◆</span> by a compaction</li><li><span class="sign bad">▼</span> something sent changed</li></ul>`;
}

const currencyOf = rows => rows.at(-1)?.currency || 'USD';
const moment = row => html`<time datetime=${row.ts}>${row.ts.slice(5, 16).replace('T', ' ')}</time>`;
const running = list => { let total = 0; return list.map(value => (total += value)); };

/** What all calls together read and cost. */
function heading(rows, all) {
  const total = none();
  all.forEach(group => add(total, group.use));
  const tokens = total.read + total.write + total.plain;
  const open = rows.filter(row => !row.usage);
  const predicted = open.reduce((sums, row) => sums + (price(row) || 0), 0);
  return percent(tokens ? total.read / tokens : 0) + ' read from the cache, ' + money(total.cost, currencyOf(rows)) + ' in total'
    + (predicted ? '; ' + money(predicted, currencyOf(rows)) + ' of it are predicted, for ' + plural(open.length, 'call') + ' without an answer' : '')
    + (all.length < rows.length ? '; ' + number(Math.ceil(rows.length / BARS)) + ' calls in a bar' : '');
}

/** The bar of a call, or of calls that share one; beside it what another choice makes of it. */
function column(page, group, x, step, most) {
  const first = group.rows[0];
  const one = group.rows.length === 1;
  const says = use => 'read ' + number(use.read) + ', written ' + number(use.write) + ', uncached ' + number(use.plain);
  const title = (one ? first.ts : 'calls ' + group.from + ' to ' + (group.from + group.rows.length - 1)) + '\n' + says(group.use) + (group.why && one ? '\nbegun anew: ' + group.why.why : '') + (group.other ? '\nwhat if: ' + says(group.other) : '');
  const stack = (use, from, width, kind) => {
    let y = HEIGHT;
    return ['read', 'write', 'plain'].map(name => {
      const h = (use[name] / most) * (HEIGHT - 14);
      y -= h;
      return svg`<rect class=${'fill ' + name + kind} x=${from} y=${y} width=${width} height=${h}></rect>`;
    });
  };
  return svg`<a href=${links(page.params, 'requests', first.request_id)} aria-label=${title} tabindex="-1"><title>${title}</title>${stack(group.use, x + step * 0.08, step * (group.other ? 0.4 : 0.8), '')}${group.other ? stack(group.other, x + step * 0.5, step * 0.4, ' other') : nothing}${group.mark ? svg`<path class=${'mark ' + group.mark} d=${'M' + (x + step / 2) + MARKS[group.mark]}></path>` : nothing}</a>`;
}
