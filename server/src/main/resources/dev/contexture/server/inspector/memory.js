// What an agent remembers: its blocks by type, for all users or for one, what others share with it,
// what it keeps for good, and what waits for a person to approve.
import { at, choices, get, may, pages, post, remove, who } from './api.js';
import { href, refine } from './router.js';
import { ago, badge, content, each, empty, html, later, liveDot, nothing, number, plain, plural } from './ui.js';

const RENDERED = 60; // blocks whose text is read for the list
const ENTRIES = 50;
const EVERYBODY = '*';
export const LEVELS = {
  read_only: 'agents and people read it; only the host writes',
  partner: "writes of agents wait for the agent's partner",
  human: 'writes of agents wait for a person',
  append: 'agents may only add to it; people may write',
  read_write: 'agents and people may write',
  admin: 'agents may also share and delete it',
};

export const agentBase = agent => at`/v1/agents/${agent}`;
export const level = permission => badge(permission, permission === 'read_only' ? 'warn' : '', LEVELS[permission] || '');
export const forWhom = user => (user ? badge('for ' + user, 'good', 'only in conversations of ' + user) : nothing);
/** Adds what is given to a path as a query. */
export const asked = (path, query) => {
  const given = Object.entries(query).filter(([, value]) => value);
  return path + (given.length ? '?' + new URLSearchParams(given) : '');
};
export const blockLink = (agent, block) =>
  href(['agents', agent, 'blocks', block.label], { user: block.user, owner: block.owner && block.owner !== agent ? block.owner : '' });

/** Who may act here: a person, where the key may say so, of a key of a user that user; one that may not writes as the agent. */
export const actors = page => [...(may('admin') ? ['human:' + (who().user || 'inspector')] : []), 'agent:' + page.params.agent, ...(may('admin') ? ['system'] : [])];

/** Who acts: the first of them, unless the page says otherwise. */
const actor = page => page.query.as || actors(page)[0];
export const acting = page => ({ headers: { 'X-Actor': actor(page) } });

const WAITS = ['partner', 'human'];

/** What each kind of actor may do with a block of a level: the rules of the server. */
const RULES = {
  write: (kind, level) => kind === 'system' || level !== 'read_only',
  revise: (kind, level) => kind === 'system' || (level !== 'read_only' && (kind === 'human' || level !== 'append')),
  configure: (kind, level) => kind !== 'agent' || level === 'admin',
  remove: (kind, level) => kind === 'system' || (kind === 'human' ? level !== 'read_only' && level !== 'partner' : level === 'admin'),
  pin: () => true,
  share: (kind, level, own) => own,
  restore: kind => kind !== 'agent',
  erase: () => true,
};

/** Whether somebody may do that with a block or an entry, so that nothing is offered that the server refuses. */
export function mayChange(page, block, what, as = actor(page)) {
  if (!may('writer')) return false;
  if (who().user && !block.user && what !== 'write' && what !== 'revise') return false; // it is for all users
  return RULES[what](as.split(':')[0], block.permission, !block.owner || block.owner === page.params.agent);
}

/** What a write comes to at a level where somebody is asked first. */
export const waits = (page, block) => WAITS.includes(block.permission) && actor(page).startsWith('agent:');

export async function open(page) {
  return page.params.agent ? openAgent(page) : openList(page);
}

async function openList(page) {
  const { rows } = await pages('/v1/agents', 'agents', { signal: page.signal });
  const state = { agents: rows, counts: new Map() };
  page.show({ title: 'Memory', twin: '/v1/agents', view: () => list(page, state) });
  page.changed = () => {};
  await each(rows.slice(0, RENDERED), async ({ agent }) => {
    const query = who().user ? '' : '?user=' + EVERYBODY;
    const { blocks } = await get(agentBase(agent) + '/blocks' + query, page).catch(() => ({ blocks: null }));
    state.counts.set(agent, blocks);
    page.redraw();
  }, { signal: page.signal });
}

function list(page, state) {
  const words = (page.query.q || '').toLowerCase();
  const shown = state.agents.filter(({ agent, name, description }) => [agent, name, description].join(' ').toLowerCase().includes(words));
  return html`<div class="tools"><input data-filter type="search" placeholder="Filter agents" aria-label="Filter agents" .value=${page.query.q || ''} @input=${event => refine({ q: event.target.value })}></div>
    ${shown.length ? html`<table class="rows"><thead><tr><th>Agent</th><th>Description</th><th>Partner</th><th class="n">Blocks</th><th class="n">Changed</th></tr></thead><tbody>${shown.map(entry => {
      const blocks = state.counts.get(entry.agent);
      const newest = blocks?.map(block => block.updated_at).sort().at(-1);
      return html`<tr><td class="main"><a data-item href=${href(['agents', entry.agent])} dir="auto">${plain(entry.name || entry.agent)}</a> <span class="dim">${plain(entry.agent)}</span></td>
        <td dir="auto">${plain(entry.description || '')}</td><td>${plain(entry.partner || '–')}</td><td class="n" data-name="blocks">${blocks ? number(blocks.length) : nothing}</td><td class="n">${newest ? ago(newest) : nothing}</td></tr>`;
    })}</tbody></table>` : empty(words ? 'No agent has these words in its name or description.' : 'No agent is known. One exists from its first block, entry or turn.')}`;
}

async function openAgent(page) {
  const A = agentBase(page.params.agent);
  const state = { agent: null, users: [], blocks: [], texts: new Map(), shared: [], deleted: [], entries: [], cursor: null, whole: new Map(), consents: [], live: 'waiting', opened: new Set(), types: (await choices(page)).block_type };
  const user = () => page.query.user || '';
  const load = async () => {
    const [agent, users, blocks, deleted, shared] = await Promise.all([
      get(A, page), who().user ? { users: [who().user] } : get(A + '/users', page).catch(() => ({ users: [] })), get(asked(A + '/blocks', { user: user() }), page),
      get(asked(A + '/blocks', { deleted: 'true', user: user() }), page).catch(() => ({ blocks: [] })), get(asked(A + '/shared', { user: user() }), page)]);
    Object.assign(state, { agent, users: users.users, blocks: blocks.blocks, deleted: deleted.blocks, shared: shared.blocks });
    page.redraw();
    await each(state.blocks.slice(0, RENDERED), async block => {
      const had = state.texts.get(block.id);
      if (had && had.version === block.version) return;
      state.texts.set(block.id, await get(asked(A + '/blocks/' + encodeURIComponent(block.label), { user: block.user }), page).catch(() => ({ version: block.version, rendered: '' })));
      page.redraw();
    }, { signal: page.signal, width: 4 });
  };
  const loadEntries = async (more = false) => {
    const answer = await get(asked(A + '/archival', { limit: String(ENTRIES), user: user(), cursor: more ? state.cursor : '' }), page);
    state.entries = more ? [...state.entries, ...answer.entries] : answer.entries;
    state.cursor = answer.next_cursor;
    page.redraw();
  };
  const loadConsents = async () => {
    if (!may('admin')) return;
    state.consents = (await get(A + '/consents', { signal: page.signal, ...acting(page) }).catch(() => ({ consents: [] }))).consents;
    page.redraw();
  };
  let watched = user();
  const soon = later(200, () => { load().catch(() => {}); loadEntries().catch(() => {}); });
  page.changed = () => {
    show();
    if (watched === user()) return;
    watched = user();
    soon();
  };
  const show = () => page.show({
    title: 'Memory of ' + (state.agent.name || page.params.agent), crumbs: [['Memory', href(['agents'])]], twin: asked(A + '/blocks', { user: user() }),
    view: () => view(page, state, A, { load, loadEntries, loadConsents }),
  });
  await Promise.all([load(), loadEntries(), loadConsents()]);
  show();
  page.follow(asked(A + '/events', { user: who().user ? '' : EVERYBODY }), soon, live => { state.live = live; page.redraw(); }); // whoever is looked at
  const timer = setInterval(loadConsents, 3000); // requests for approval have no events
  page.signal.addEventListener('abort', () => clearInterval(timer));
}

function view(page, state, A, loads) {
  const { user = '', q = '' } = page.query;
  const words = q.toLowerCase();
  const fits = block => [block.label, block.description, block.user, state.texts.get(block.id)?.rendered].join(' ').toLowerCase().includes(words);
  const blocks = state.blocks.filter(fits);
  const types = [...new Set([...state.types, ...blocks.map(block => block.block_type)])];
  const pick = (value, name, more = nothing) => html`<li><a data-item href=${href(['agents', page.params.agent], { user: value, q })} aria-current=${user === value ? 'true' : nothing}><b dir="auto">${name}</b> <span class="dim">${more}</span></a></li>`;
  return html`<div class="split">
    <aside><h2>For whom</h2><ul class="picks">
      ${pick('', 'All users', 'what the agent has for everybody')}
      ${who().user ? nothing : pick(EVERYBODY, 'Everything', 'of all users')}
      ${state.users.map(name => pick(name, plain(name)))}</ul>
      ${user && user !== EVERYBODY && !state.users.includes(user) ? html`<p class="note">${plain(user)} has no memory of their own at this agent.</p>` : nothing}
      <h2>Agent</h2><dl class="facts"><dt>id</dt><dd>${plain(page.params.agent)}</dd><dt>about</dt><dd dir="auto">${plain(state.agent.description || '–')}</dd><dt>partner</dt><dd>${plain(state.agent.partner || '–')}</dd></dl>
    </aside>
    <section aria-label="Blocks">
      <div class="tools"><input data-filter type="search" placeholder="Filter by label, description, text" aria-label="Filter memory" .value=${q} @input=${event => refine({ q: event.target.value })}>
        ${user ? html`<a class="chip" href=${href(['agents', page.params.agent], { q })}>${user === EVERYBODY ? 'everything' : 'as ' + user + ' has it'} ×</a>` : nothing}
        <span class="grow"></span>${liveDot(state.live)}</div>
      ${waiting(page, state, A, loads)}
      ${blocks.length ? types.map(type => section(page, state, type, blocks.filter(block => block.block_type === type))) : empty(words ? 'No block has these words.' : 'No block here.')}
      ${sharedBlocks(page, state)}
      ${entries(page, state, A, loads, words)}
      ${deleted(page, state, A, loads)}
    </section></div>`;
}

function section(page, state, type, blocks) {
  if (!blocks.length) return nothing;
  return html`<h2>${type} <span class="dim">${plural(blocks.length, 'block')}</span></h2>${blocks.map(block => card(page, state, block))}`;
}

function card(page, state, block) {
  const text = state.texts.get(block.id)?.rendered;
  return html`<article class="block memory"><header><a data-item href=${blockLink(page.params.agent, block)}><b dir="auto">${plain(block.label)}</b></a>
      ${forWhom(block.user)} ${level(block.permission)} ${block.pinned ? badge('pinned', '', 'stands in every prompt') : nothing} ${badge(block.schema?.kind || 'text')}
      <span class="dim" dir="auto">${plain(block.description || '')}</span><span class="grow"></span>
      <span class="n dim">version ${number(block.version)}, ${number(block.size)} of ${number(block.char_limit)} characters, ${ago(block.updated_at)}</span></header>
    ${text === undefined ? nothing : text ? content(text, { most: 700, open: state.opened.has(block.id), onOpen: () => { state.opened.add(block.id); page.redraw(); } }) : html`<p class="note">empty</p>`}</article>`;
}

function sharedBlocks(page, state) {
  if (!state.shared.length) return nothing;
  return html`<h2>Shared with it <span class="dim">${plural(state.shared.length, 'block')}</span></h2><table class="rows"><thead><tr><th>Block</th><th>Owner</th><th>Type</th><th>It may</th></tr></thead>
    <tbody>${state.shared.map(block => html`<tr><td class="main"><a data-item href=${blockLink(page.params.agent, block)}>${plain(block.label)}</a> ${forWhom(block.user)} <span class="dim">${plain(block.description || '')}</span></td>
      <td>${plain(block.owner_name || block.owner)}</td><td>${block.block_type}</td><td>${level(block.permission)}</td></tr>`)}</tbody></table>`;
}

function entries(page, state, A, loads, words) {
  const shown = state.entries.filter(entry => [entry.excerpt, entry.user, JSON.stringify(entry.metadata || '')].join(' ').toLowerCase().includes(words));
  const erase = entry => page.act(() => remove(asked(A + '/archival/' + encodeURIComponent(entry.id), { user: entry.user }), acting(page)), 'The entry was erased.').then(() => loads.loadEntries());
  const read = async entry => {
    const whole = await page.act(() => get(asked(A + '/archival/' + encodeURIComponent(entry.id), { user: entry.user }), page));
    if (whole) state.whole.set(entry.id, whole.content);
    page.redraw();
  };
  return html`<h2>Kept for good <span class="dim">${plural(state.entries.length, 'entry', 'entries')}${state.cursor ? ' and more' : nothing}</span></h2>
    ${shown.length ? shown.map(entry => {
      const whole = state.whole.get(entry.id);
      return html`<article class="block entry"><header><span class="dim">${ago(entry.ts)}</span> ${forWhom(entry.user)} ${Object.entries(entry.metadata || {}).map(([name, value]) => badge(name + ': ' + (typeof value === 'string' ? value : JSON.stringify(value))))}
        <span class="grow"></span><code class="path">${entry.id}</code>${mayChange(page, entry, 'erase') ? html`<button class="small" @click=${event => confirmed(event, () => erase(entry))}>Erase</button>` : nothing}</header>
        ${content(whole ?? entry.excerpt, { most: 100_000 })}
        ${whole === undefined && entry.content_chars > entry.excerpt.length ? html`<button class="more" @click=${() => read(entry)}>all ${number(entry.content_chars)} characters</button>` : nothing}</article>`;
    }) : empty('No archival entry here.')}
    ${state.cursor ? html`<button @click=${() => page.act(() => loads.loadEntries(true))}>More entries</button>` : nothing}`;
}

/** Asks once more before something is done that cannot be taken back: the button changes its words. */
export function confirmed(event, work) {
  const button = event.currentTarget;
  if (button.dataset.sure) {
    delete button.dataset.sure;
    return work();
  }
  button.dataset.sure = 'Really?';
  setTimeout(() => delete button.dataset.sure, 4000);
  return undefined;
}

function waiting(page, state, A, loads) {
  if (!state.consents.length) return nothing;
  const decide = (consent, decision) => page.act(() => post(A + '/consents/' + encodeURIComponent(consent.id), { decision }, acting(page)), decision === 'grant' ? 'Granted.' : 'Denied.').then(() => Promise.all([loads.loadConsents(), loads.load()]));
  return html`<section class="panel plan" aria-label="Waiting for a person"><h2>Waiting for a person <span class="dim">${number(state.consents.length)}</span></h2>${state.consents.map(consent => html`<article class="consent">
    <p><b>${plain(consent.actor)}</b> wants to ${plain(consent.operation)} <b>${plain(consent.label)}</b> ${forWhom(consent.user)} <span class="dim">at version ${number(consent.version)}, asked ${ago(consent.asked_at)} ago, needs ${consent.kind === 'partner' ? 'the partner' : 'a person'}</span></p>
    ${content(consent.preview, { kind: 'code', most: 2000 })}${consent.preview_omitted ? html`<p class="note">${number(consent.preview_omitted)} more characters are not shown.</p>` : nothing}
    <p><button class="primary" @click=${() => decide(consent, 'grant')}>Grant</button> <button @click=${() => decide(consent, 'deny')}>Deny</button></p></article>`)}</section>`;
}

function deleted(page, state, A, loads) {
  if (!state.deleted.length) return nothing;
  const restore = block => page.act(() => post(A + '/blocks/restore', { id: block.id, user: block.user }, acting(page)), 'The block is back.').then(loads.load);
  return html`<h2>Deleted <span class="dim">${plural(state.deleted.length, 'block')}</span></h2><table class="rows"><tbody>${state.deleted.map(block => html`<tr><td class="main">${plain(block.label)} ${forWhom(block.user)}</td><td>${block.block_type}</td><td class="n">version ${number(block.version)}</td>
    <td class="n">${mayChange(page, block, 'restore') ? html`<button class="small" @click=${() => restore(block)}>Restore</button>` : nothing}</td></tr>`)}</tbody></table>`;
}
