// What happens now: in all conversations, or in the memory of an agent.
import { at, follow, pages, who } from './api.js';
import { href, refine } from './router.js';
import { badge, clock, empty, html, liveDot, nothing, number, plain } from './ui.js';

const KEPT = 500;

export async function open(page) {
  const state = { rows: [], live: 'waiting', missed: 0, agents: [], paused: false };
  state.agents = (await pages('/v1/agents', 'agents', { signal: page.signal, most: 200 }).catch(() => ({ rows: [] }))).rows;
  const bound = Boolean(who().user || who().agent);
  const source = () => page.query.agent || who().agent || '';
  const stream = agent => (agent ? at`/v1/agents/${agent}/events` + (who().user ? '' : '?user=*') : bound ? null : '/v1/events');
  let watched = null;
  let stop = new AbortController();
  /** Follows what is asked for; events of another source are not shown any more. */
  const start = () => {
    if (watched === source()) return;
    watched = source();
    stop.abort();
    stop = new AbortController();
    Object.assign(state, { rows: [], missed: 0, live: 'waiting' });
    if (stream(watched)) follow(stream(watched), told(watched ? 'memory' : 'conversation'), { signal: stop.signal, state: live => { state.live = live; page.redraw(); } });
  };
  const told = from => (type, data) => {
    if (type === 'missed') state.missed += data.events;
    else state.rows.unshift({ source: from, type, data, ts: data.ts || new Date().toISOString() });
    if (state.rows.length > KEPT) state.rows.length = KEPT;
    if (!state.paused) page.redraw();
  };
  const show = () => page.show({ title: 'Events', twin: stream(watched), data: () => state.rows, view: () => view(page, state, watched, bound) });
  page.signal.addEventListener('abort', () => stop.abort());
  page.changed = () => {
    start();
    show();
  };
  page.changed();
}

const kind = row => (row.source === 'memory' ? row.type : row.data.note?.type || row.type);

function view(page, state, agent, bound) {
  const { q = '', type = '' } = page.query;
  const kinds = [...new Set([...state.rows.map(kind), type].filter(Boolean))].sort();
  const rows = state.rows.filter(row => (!type || kind(row) === type) && JSON.stringify(row.data).toLowerCase().includes(q.toLowerCase()));
  return html`<div class="tools"><input data-filter type="search" placeholder="Filter by user, conversation, label, actor" aria-label="Filter events" .value=${q} @input=${event => refine({ q: event.target.value })}>
      <label>Kind <select @change=${event => refine({ type: event.target.value })}><option value="">all</option>${kinds.map(name => html`<option ?selected=${name === type}>${name}</option>`)}</select></label>
      <label>Of <select @change=${event => refine({ agent: event.target.value })}>${bound ? nothing : html`<option value="">all conversations</option>`}${state.agents.map(one => html`<option value=${one.agent} ?selected=${one.agent === agent}>memory of ${one.agent}</option>`)}</select></label>
      <button @click=${() => { state.paused = !state.paused; page.redraw(); }}>${state.paused ? 'Go on' : 'Hold'}</button><span class="grow"></span>${liveDot(state.live)}</div>
    ${state.missed ? html`<p class="note">${number(state.missed)} events were missed: they came faster than this page reads.</p>` : nothing}
    ${rows.length ? html`<table class="rows"><thead><tr><th>When</th><th>What</th><th>Where</th><th>Details</th></tr></thead><tbody>${rows.map(row => line(row))}</tbody></table>`
      : empty(state.rows.length ? 'No event fits the filter.' : bound && !agent ? 'This key sees the events of one conversation: open it.' : 'Nothing has happened since this page was opened.')}`;
}

function line(row) {
  const { data } = row;
  const memory = row.source === 'memory';
  const link = memory ? href(['agents', data.owner, 'blocks', data.label], { user: data.user }) : href(['users', data.user, 'conversations', data.conversation]);
  const rest = memory ? [data.actor, data.operation, data.message] : Object.entries(data.note || {}).filter(([name]) => name !== 'type').map(([name, value]) => name + ' ' + (typeof value === 'string' ? value : JSON.stringify(value)));
  return html`<tr><td>${clock(row.ts)}</td><td>${badge(kind(row))}</td><td class="main"><a data-item href=${link} dir="auto">${memory ? plain(data.owner + ' › ' + data.label) : plain(data.user + ' › ' + data.conversation)}</a> ${memory && data.user ? badge('for ' + data.user, 'good') : nothing}</td>
    <td dir="auto">version ${number(data.version)}${rest.filter(Boolean).map(words => [', ', plain(words)])}</td></tr>`;
}
