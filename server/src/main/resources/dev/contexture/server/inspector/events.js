// What happens now: in all conversations, or in the memory of an agent.
import { at, pages, who } from './api.js';
import { href, refine } from './router.js';
import { badge, clock, empty, html, liveDot, nothing, number, plain } from './ui.js';

const KEPT = 500;

export async function open(page) {
  const state = { rows: [], live: 'waiting', missed: 0, agents: [], paused: false };
  const bound = who().user || who().agent;
  state.agents = (await pages('/v1/agents', 'agents', { signal: page.signal, most: 200 }).catch(() => ({ rows: [] }))).rows;
  const told = source => (type, data) => {
    if (type === 'missed') state.missed += data.events;
    else state.rows.unshift({ source, type, data, ts: data.ts || new Date().toISOString() });
    if (state.rows.length > KEPT) state.rows.length = KEPT;
    if (!state.paused) page.redraw();
  };
  const agent = page.query.agent || who().agent;
  if (agent) page.follow(at`/v1/agents/${agent}/events` + (who().user ? '' : '?user=*'), told('memory'), live => { state.live = live; page.redraw(); });
  if (!agent && !bound) page.follow('/v1/events', told('conversation'), live => { state.live = live; page.redraw(); });
  page.show({ title: 'Events', view: () => view(page, state, agent, bound) });
}

const kind = row => (row.source === 'memory' ? row.type : row.data.note?.type || row.type);

function view(page, state, agent, bound) {
  const { q = '', type = '' } = page.query;
  const kinds = [...new Set([...state.rows.map(kind), type].filter(Boolean))].sort();
  const rows = state.rows.filter(row => (!type || kind(row) === type) && JSON.stringify(row.data).toLowerCase().includes(q.toLowerCase()));
  return html`<div class="tools"><input data-filter type="search" placeholder="Filter by user, conversation, label, actor" aria-label="Filter events" .value=${q} @change=${event => refine({ q: event.target.value })}>
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
