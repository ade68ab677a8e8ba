// The start page: who talks with which agent, what was said last, how large it is and what it cost.
import { at, get, pages, who } from './api.js';
import { href, refine } from './router.js';
import { ago, badge, bar, each, empty, html, later, liveDot, money, nothing, number, plain, plural, short } from './ui.js';

const USERS_SHOWN = 40; // whose newest conversations stand in the list
const ROWS = 200;

export async function open(page) {
  const state = { users: [], agents: [], rows: new Map(), costs: new Map(), live: 'waiting', limited: null, fresh: new Set(), read: new Map(), older: new Set(), more: false };
  const load = () => Promise.all([loadUsers(page, state), loadAgents(page, state)]);
  page.changed = () => loadRows(page, state).catch(failed => page.act(() => { throw failed; }));
  await load();
  page.show({ title: 'Conversations', twin: twin(page), view: () => view(page, state) });
  await loadRows(page, state);
  const soon = later(300, async names => {
    await Promise.all([loadUsers(page, state), loadAgents(page, state)]).catch(() => {});
    await Promise.all([...names].map(user => loadUser(page, state, user).catch(() => {})));
    names.clear();
    page.redraw();
  });
  const names = new Set();
  if (!state.limited) {
    page.follow('/v1/events', (type, data) => {
      if (type !== 'change') return;
      names.add(data.user);
      state.fresh.add(data.user + '\n' + data.conversation);
      state.costs.delete(data.user + '\n' + data.conversation);
      soon(names);
    }, live => { state.live = live; page.redraw(); });
  }
}

/** How many conversations of a user are read: more when they are looked for. */
const most = page => (page.query.user || page.query.q ? ROWS : 20);

const twin = page => (page.query.user ? at`/v1/users/${page.query.user}/conversations` : '/v1/users');

/** A key of one user or agent may not list all of them: then it is that user, or none. */
async function loadUsers(page, state) {
  const caller = who();
  if (caller.user || caller.agent) {
    state.limited = caller;
    state.users = caller.user ? [{ user: caller.user }] : page.query.user ? [{ user: page.query.user }] : [];
    return;
  }
  const { rows, more } = await pages('/v1/users', 'users', { most: ROWS, signal: page.signal });
  state.users = rows;
  state.more = more;
}

async function loadAgents(page, state) {
  state.agents = (await pages('/v1/agents', 'agents', { most: ROWS, signal: page.signal })).rows;
}

/** Those of the newest users; a filter looks at those of all users that are listed. */
async function loadRows(page, state) {
  const { user: chosen, q } = page.query;
  const users = chosen ? [chosen] : state.users.slice(0, q ? ROWS : USERS_SHOWN).map(entry => entry.user);
  const wanted = users.filter(user => (state.read.get(user) || 0) < most(page));
  await each(wanted, user => loadUser(page, state, user), { signal: page.signal, width: 4 });
  if (page.signal.aborted) return;
  page.show({ title: 'Conversations', twin: twin(page), view: () => view(page, state) });
  await loadCosts(page, state);
}

async function loadUser(page, state, user) {
  const size = most(page);
  const { conversations, next_cursor: older } = await get(at`/v1/users/${user}/conversations` + '?limit=' + size, { signal: page.signal });
  state.rows.set(user, conversations.map(row => ({ ...row, user })));
  state.read.set(user, older ? size : ROWS);
  if (older) state.older.add(user);
  else state.older.delete(user);
  page.redraw();
  if (state.fresh.size) await loadCosts(page, state);
}

/** What each conversation that is shown cost, from the top, a few at a time. */
async function loadCosts(page, state) {
  const wanted = shown(page, state).filter(row => !state.costs.has(key(row)));
  await each(wanted, async row => {
    state.costs.set(key(row), null);
    const usage = await get(at`/v1/users/${row.user}/conversations/${row.conversation_id}/usage`, { signal: page.signal }).catch(() => null);
    if (usage) state.costs.set(key(row), usage);
    page.redraw();
  }, { signal: page.signal, width: 3 });
}

const key = row => row.user + '\n' + row.conversation_id;

function shown(page, state) {
  const { q = '', user, agent } = page.query;
  const words = q.toLowerCase().split(/\s+/).filter(Boolean);
  return [...state.rows.entries()]
    .filter(([owner]) => !user || owner === user)
    .flatMap(([, rows]) => rows)
    .filter(row => !agent || row.agent === agent)
    .filter(row => {
      const text = [row.title, row.conversation_id, row.user, row.agent].join(' ').toLowerCase();
      return words.every(word => text.includes(word));
    })
    .sort((a, b) => b.last_activity_at.localeCompare(a.last_activity_at));
}

/** Those whose name has what is looked for; all where no name has it. */
function fitting(entries, member, q) {
  const found = entries.filter(entry => entry[member].toLowerCase().includes(q.toLowerCase()));
  return found.length ? found : entries;
}

function view(page, state) {
  const rows = shown(page, state);
  const { q = '', user, agent } = page.query;
  return html`<div class="split">
    <aside>
      <h2>Users <span class="dim">${state.more ? 'the newest ' : nothing}${number(state.users.length)}</span></h2>
      ${state.users.length ? html`<ul class="picks">${fitting(state.users, 'user', q).map(entry => pick(entry.user, 'user', user, together(state, row => row.user === entry.user, entry)))}</ul>` : empty('No user has talked yet.')}
      <h2>Agents <span class="dim">${number(state.agents.length)}</span></h2>
      ${state.agents.length ? html`<ul class="picks">${fitting(state.agents, 'agent', q).map(entry => pick(entry.agent, 'agent', agent, together(state, row => row.agent === entry.agent, {}), entry.description || entry.name))}</ul>` : empty('No agent is known.')}
    </aside>
    <section aria-label="Conversations">
      ${state.rows.get('hanna')?.some(row => row.conversation_id === 'late-tent') ? html`<p class="panel welcome">This is the demo: Hanna’s tent is late, and the agent Mira helps. <a href=${href(['users', 'hanna', 'conversations', 'late-tent'], { tour: 1 })}>Take the tour</a></p>` : nothing}
      <div class="tools">
        <input data-filter type="search" placeholder="Filter by title, id, user, agent" aria-label="Filter conversations" .value=${q}
          @input=${event => refine({ q: event.target.value })}>
        ${user || agent ? html`<a class="chip" href=${href([], { q })}>${plain([user, agent].filter(Boolean).join(', '))} ×</a>` : nothing}
        <span class="grow"></span>${state.limited ? nothing : liveDot(state.live)}
      </div>
      ${rows.length ? table(state, rows) : nothingHere(state, page.query)}
      ${beyond(page, state)}
    </section>
  </div>`;
}

/** What is not looked at: a filter does not say that something is nowhere when it was not read. */
function beyond(page, state) {
  const { user, q } = page.query;
  const users = user ? 0 : Math.max(0, state.users.length - (q ? ROWS : USERS_SHOWN));
  const older = [...state.older].filter(name => !user || name === user);
  if (!users && !state.more && !older.length) return nothing;
  return html`<p class="note">${[
    user ? '' : state.more ? 'Only the newest ' + number(ROWS) + ' users are listed; the address takes the name of any: #/?user=NAME.' : users ? 'Conversations of ' + plural(users, 'older user') + ' are not in this list; the filter finds them.' : '',
    older.length ? 'Of ' + (older.length > 3 ? number(older.length) + ' users' : older.join(', ')) + ' only the newest ' + number(most(page)) + ' conversations are shown' + (most(page) < ROWS ? '; the filter looks at more.' : '.') : '',
  ].filter(Boolean).map(plain).flatMap((words, i) => (i ? [' ', words] : [words]))}</p>`;
}

const pick = (name, kind, chosen, more, about = '') =>
  html`<li><a data-item href=${href([], { [kind]: chosen === name ? '' : name })} aria-current=${chosen === name ? 'true' : nothing}><b dir="auto">${plain(name)}</b>${about ? html`<small dir="auto">${plain(about)}</small>` : nothing}<small>${more}</small></a></li>`;

/** How much there is of somebody in the conversations that were read, what it cost, and when they last were active. */
function together(state, of, entry) {
  const rows = [...state.rows.values()].flat().filter(of);
  const count = entry.conversations ?? rows.length;
  const costs = rows.map(row => state.costs.get(key(row)));
  const known = rows.length === count && costs.length && costs.every(usage => usage && (usage.money !== null || !usage.answered));
  const newest = entry.last_activity_at ?? rows.map(row => row.last_activity_at).sort().at(-1);
  return html`${plural(count, 'conversation')}${rows.length && rows.length === count ? ', ' + plural(rows.reduce((sum, row) => sum + row.blocks, 0), 'block') : nothing}${known ? ', ' + money(costs.reduce((sum, usage) => sum + (usage.money || 0), 0), costs.find(usage => usage.currency)?.currency || 'USD') : nothing}${newest ? html` · ${ago(newest)}` : nothing}`;
}

function nothingHere(state, { q, user, agent }) {
  if (q) return empty(html`No conversation has “${plain(q)}” in its title, id, user or agent.`, html`<a href=${href([])}>All conversations</a>`);
  if (state.limited?.agent && !state.limited.user) return empty('This key is bound to an agent: open a conversation by its address.');
  if (user || agent) return empty(html`No conversation of ${plain([user, agent].filter(Boolean).join(' with '))}.`, html`<a href=${href([])}>All conversations</a>`);
  return empty('Nobody has talked yet. A conversation exists from its first turn:', html`<a href="api">POST /v1/users/{user}/conversations/{conversation}/turns</a>`);
}

function table(state, rows) {
  return html`<table class="rows">
    <thead><tr><th>Conversation</th><th>User</th><th>Agent</th><th class="n">Turns</th><th class="n">Blocks</th><th class="n">Calls</th><th>Cache</th><th class="n">Cost</th><th class="n">Active</th></tr></thead>
    <tbody>${rows.map(row => line(state, row))}</tbody>
  </table>`;
}

function line(state, row) {
  const usage = state.costs.get(key(row));
  const fresh = state.fresh.has(key(row));
  return html`<tr class=${fresh ? 'fresh' : ''}>
    <td class="main"><a data-item href=${href(['users', row.user, 'conversations', row.conversation_id])} dir="auto">${plain(row.title || row.conversation_id)}</a>
      <span class="dim" dir="auto">${row.title ? plain(row.conversation_id) : nothing}</span> ${fresh ? badge('new', 'good') : nothing}</td>
    <td dir="auto">${plain(row.user)}</td>
    <td dir="auto">${plain(row.agent || '–')}</td>
    <td class="n" data-name="turns">${number(row.turns)}</td>
    <td class="n" data-name="blocks">${number(row.blocks)}</td>
    <td class="n" data-name="calls">${usage ? number(usage.requests) : nothing}</td>
    <td class="mini">${usage && usage.input_tokens ? bar([
      { name: 'read from the cache', value: usage.cache_read, kind: 'read' },
      { name: 'written to the cache', value: usage.cache_write, kind: 'write' },
      { name: 'not cached', value: usage.uncached, kind: 'plain' }], { legend: false }) : nothing}</td>
    <td class="n" data-name="cost" title=${usage ? plural(usage.input_tokens, 'input token') + ', ' + plural(usage.output_tokens, 'output token') : nothing}>${usage ? (usage.money !== null ? money(usage.money, usage.currency) : short(usage.cost) + ' tok') : nothing}</td>
    <td class="n">${ago(row.last_activity_at)}</td>
  </tr>`;
}
