// What happens now: in all conversations, or in the memory of an agent.
import { at, follow, pages, who } from './api.js';
import { href, refine } from './router.js';
import { badge, clock, empty, html, liveDot, nothing, number, plain } from './ui.js';

const KEPT = 500;
const MEMORIES = 3; // agents whose memory is followed where none is chosen: browsers allow few streams at a time

const BEFORE = 60_000; // milliseconds: clocks differ

export async function open(page) {
  const state = { rows: [], live: new Map(), missed: 0, agents: [], paused: false, opened: Date.now() };
  state.agents = (await pages('/v1/agents', 'agents', { signal: page.signal, most: 200 }).catch(() => ({ rows: [] }))).rows;
  const bound = Boolean(who().user || who().agent);
  /** What is followed: [path, kind of source]. */
  const streams = () => {
    const { agent, of } = page.query;
    const memories = of === 'conversations' ? [] : agent ? [agent] : who().agent ? [who().agent] : state.agents.slice(0, MEMORIES).map(one => one.agent);
    return [...(bound || agent ? [] : [['/v1/events', 'conversation']]), ...memories.map(name => [at`/v1/agents/${name}/events` + (who().user ? '' : '?user=*'), 'memory'])];
  };
  let watched = null;
  let stop = new AbortController();
  /** Follows what is asked for; events of another source are not shown any more. */
  const start = () => {
    const wanted = streams();
    if (watched === JSON.stringify(wanted)) return;
    watched = JSON.stringify(wanted);
    stop.abort();
    stop = new AbortController();
    Object.assign(state, { rows: [], missed: 0, live: new Map() });
    for (const [path, from] of wanted) {
      state.live.set(path, 'waiting');
      follow(path, told(from), { signal: stop.signal, state: live => { state.live.set(path, live); page.redraw(); } });
    }
  };
  const told = from => (type, data) => {
    if (type === 'missed') state.missed += data.events;
    else insert(state, { source: from, type, data, ts: data.ts || new Date().toISOString() });
    if (state.rows.length > KEPT) state.rows.length = KEPT;
    if (!state.paused) page.redraw();
  };
  const show = () => page.show({ title: 'Events', twin: streams()[0]?.[0] ?? null, data: () => state.rows, view: () => view(page, state, bound) });
  page.signal.addEventListener('abort', () => stop.abort());
  page.changed = () => {
    start();
    show();
  };
  page.changed();
}

/** Newest first: in the order in which they come, but what happened before the page was opened, of which streams of memory tell too. */
function insert(state, row) {
  row.order = Date.parse(row.ts) < state.opened - BEFORE ? row.ts : new Date().toISOString();
  const at = state.rows.findIndex(other => other.order <= row.order);
  state.rows.splice(at < 0 ? state.rows.length : at, 0, row);
}

/** Of several streams the state of the one that is furthest from live. */
const liveness = state => ['refused', 'waiting', 'live'].find(name => [...state.live.values()].includes(name)) || 'refused';

const MEMORY = 'memory:';
const OF = { all: { agent: '', of: '' }, conversations: { agent: '', of: 'conversations' } };

const kind = row => (row.source === 'memory' ? row.type : row.data.note?.type || row.type);

function view(page, state, bound) {
  const { q = '', type = '', agent = '', of = '' } = page.query;
  const kinds = [...new Set([...state.rows.map(kind), type].filter(Boolean))].sort();
  const rows = state.rows.filter(row => (!type || kind(row) === type) && JSON.stringify(row.data).toLowerCase().includes(q.toLowerCase()));
  return html`<div class="tools"><input data-filter type="search" placeholder="Filter by user, conversation, label, actor" aria-label="Filter events" .value=${q} @input=${event => refine({ q: event.target.value })}>
      <label>Kind <select name="kind" @change=${event => refine({ type: event.target.value })}><option value="">all</option>${kinds.map(name => html`<option value=${name} ?selected=${name === type}>${plain(name)}</option>`)}</select></label>
      <label>Of <select name="of" @change=${event => refine(OF[event.target.value] || { agent: event.target.value.slice(MEMORY.length), of: '' })}>${bound ? nothing : html`<option value="all" ?selected=${!agent && !of}>conversations and memory</option><option value="conversations" ?selected=${of === 'conversations'}>all conversations</option>`}${state.agents.map(one => html`<option value=${MEMORY + one.agent} ?selected=${one.agent === agent}>memory of ${plain(one.agent)}</option>`)}</select></label>
      <button @click=${() => { state.paused = !state.paused; page.redraw(); }}>${state.paused ? 'Continue' : 'Pause'}</button><span class="grow"></span>${liveDot(liveness(state))}</div>
    ${!agent && !of && state.agents.length > MEMORIES ? html`<p class="note">Of the memory of ${number(state.agents.length)} agents, that of the first ${MEMORIES} is followed; choose another one above.</p>` : nothing}
    ${state.missed ? html`<p class="note">${number(state.missed)} events were missed: they came faster than this page reads.</p>` : nothing}
    ${rows.length ? html`<table class="rows"><thead><tr><th>When</th><th>What</th><th>Where</th><th>Details</th></tr></thead><tbody>${rows.map(row => line(row))}</tbody></table>`
      : empty(state.rows.length ? 'No event fits the filter.' : bound && !state.live.size ? 'This key sees the events of one conversation: open it.' : 'Nothing has happened since this page was opened.')}`;
}

function line(row) {
  const { data } = row;
  const memory = row.source === 'memory';
  const link = memory ? href(['agents', data.owner, 'blocks', data.label], { user: data.user }) : href(['users', data.user, 'conversations', data.conversation]);
  const rest = memory ? [data.actor, data.operation, data.message] : Object.entries(data.note || {}).filter(([name]) => name !== 'type').map(([name, value]) => name + ' ' + (typeof value === 'string' ? value : JSON.stringify(value)));
  return html`<tr><td>${clock(row.ts)}</td><td>${badge(kind(row))}</td><td class="main"><a data-item href=${link} dir="auto">${memory ? plain(data.owner + ' › ' + data.label) : plain(data.user + ' › ' + data.conversation)}</a> ${memory && data.user ? badge('for ' + data.user, 'good') : nothing}</td>
    <td dir="auto">version ${number(data.version)}${rest.filter(Boolean).map(words => [', ', plain(words)])}</td></tr>`;
}
