// Search over messages, memory blocks and archival entries, and why each hit is one.
import { at, choices, post, who } from './api.js';
import { asked as withQuery, blockLink, forWhom } from './memory.js';
import { href, refine } from './router.js';
import { ago, badge, bar, content, empty, html, later, nothing, number, plain, plural } from './ui.js';

const LIMIT = 20;
const NOTES = {
  no_embedder: 'no embedder is set up: search is by words',
  embedder_failed: 'the embedder failed: search was by words',
  vector_lag: 'entries wait to be embedded',
  index_lag: 'changes wait to be indexed',
  empty_query: 'the query has no word to look for',
  typos_forgiven: 'nothing matched as written: words that are spelled alike were looked for',
};

export async function open(page) {
  const state = { answer: null, problem: null, asked: '', busy: false, limit: LIMIT, ...(await choices(page)) };
  const run = async () => {
    const { path, body } = asked(page.query, state.limit);
    const wanted = JSON.stringify([path, body]);
    if (wanted === state.asked) return;
    state.asked = wanted;
    if (!body.query.trim() || !path) {
      Object.assign(state, { answer: null, problem: null });
      page.redraw();
      return;
    }
    state.busy = true;
    try {
      const answer = await post(path, body, page);
      if (state.asked === wanted) Object.assign(state, { answer, problem: null });
    } catch (failed) {
      if (failed.name === 'AbortError') return;
      if (state.asked === wanted) Object.assign(state, { answer: null, problem: failed });
    }
    state.busy = false;
    page.redraw();
  };
  const soon = later(200, run);
  const show = () => page.show({ title: 'Search', twin: twin(page.query, state.limit), view: () => view(page, state, run) });
  page.changed = () => { state.limit = LIMIT; show(); soon(); };
  show();
  await run();
  if ('tour' in page.query) return; // the tour has the keyboard
  requestAnimationFrame(() => requestAnimationFrame(() => document.querySelector('[data-filter]')?.focus()));
}

/** Where a search goes: to what a key may see, an agent's knowledge, a user's messages, or everything. */
function asked(query, limit) {
  const caller = who();
  const user = caller.user || query.user;
  const agent = caller.agent || query.agent;
  const path = agent ? at`/v1/agents/${agent}/search` : caller.role === 'admin' && !caller.user ? '/v1/search' : user ? at`/v1/users/${user}/search` : null;
  const body = { query: query.q || '', limit };
  if (query.mode) body.mode = query.mode;
  if (query.types) body.content_types = query.types.split(',');
  if (query.conversation) body.conversation = query.conversation;
  if (query.roles) body.roles = query.roles.split(',').map(role => role.trim());
  if (query.from) body.from = instant(query.from, 'T00:00:00Z');
  if (query.to) body.to = instant(query.to, 'T23:59:59.999999999Z'); // with that day
  if (path && !path.startsWith('/v1/users/')) body.user = user || '*';
  return { path, body };
}

/** A day that was chosen as the moment at which it begins or ends, as the pages show times. */
const instant = (day, time) => (day.includes('T') ? day : day + time);

/** The same search as an address; without words there is nothing to find. */
function twin(query, limit) {
  const { path, body } = asked(query, limit);
  return path && body.query.trim() ? withQuery(path, body) : null;
}

function view(page, state, run) {
  const { search_mode: modes, search_content_type: kinds } = state;
  const query = page.query;
  const field = (name, label, type = 'text') => html`<label>${label} <input name=${name} type=${type} size="12" .value=${query[name] || ''} @change=${event => refine({ [name]: event.target.value })}></label>`;
  const types = new Set((query.types || kinds.join(',')).split(','));
  const toggle = name => {
    const next = kinds.filter(type => (type === name ? !types.has(name) : types.has(type)));
    refine({ types: next.length === kinds.length || !next.length ? '' : next.join(',') });
  };
  return html`<form class="tools" role="search" @submit=${event => { event.preventDefault(); refine({ q: event.target.elements.q.value }); }}>
      <input data-filter name="q" type="search" placeholder="Words, or a question" aria-label="Search" .value=${query.q || ''} @input=${event => refine({ q: event.target.value })}>
      <label>Mode <select name="mode" @change=${event => refine({ mode: event.target.value === 'auto' ? '' : event.target.value })}>${modes.map(mode => html`<option ?selected=${mode === (query.mode || 'auto')}>${mode}</option>`)}</select></label>
      ${kinds.map(type => html`<label><input type="checkbox" .checked=${types.has(type)} @change=${() => toggle(type)}> ${type}</label>`)}</form>
    <div class="tools filters">${field('user', 'User')}${field('agent', 'Agent')}${field('conversation', 'Conversation')}${field('roles', 'Roles')}${field('from', 'From', 'date')}${field('to', 'Until', 'date')}</div>
    ${state.problem ? html`<p class="clash" role="alert">${plain(state.problem.message)} <code>${state.problem.code}</code></p>` : nothing}
    ${state.answer ? hits(page, state, run) : !asked(query, 1).path ? empty('Name a user or an agent to search: a search of everything needs the key of an admin.') : query.q ? html`<p class="loading">${state.busy ? 'Searching…' : nothing}</p>` : empty('What was said, what agents remember, what they keep for good: found by words and, with an embedder, by meaning.')}`;
}

function hits(page, state, run) {
  const { answer } = state;
  const more = () => { state.limit *= 2; run(); };
  return html`<p class="dim" role="status">${plural(answer.hits.length, 'hit')} ${badge(answer.mode_used, '', 'how it was searched')}</p>
    ${answer.notes.map(note => html`<p class="note">${badge(note.code, 'warn')} ${NOTES[note.code] || plain(note.detail)} ${note.count ? '(' + number(note.count) + ')' : nothing}</p>`)}
    ${answer.hits.length ? answer.hits.map((hit, i) => one(hit, i)) : empty('Nothing matches. Fewer words, other filters, or all kinds of content may help.')}
    ${answer.hits.length >= state.limit && state.limit < 1000 ? html`<button @click=${more}>More hits</button>` : nothing}`;
}

function link(hit) {
  if (hit.type === 'message') return href(['users', hit.user, 'conversations', hit.conversation], { at: hit.path });
  return hit.type === 'block' ? blockLink(hit.agent, { label: hit.label, user: hit.user }) : href(['agents', hit.agent], { user: hit.user });
}

function one(hit, i) {
  const where = hit.type === 'message' ? [hit.user, hit.conversation, hit.role] : hit.type === 'block' ? [hit.agent, hit.label] : [hit.agent];
  return html`<article class=${'block hit of-' + hit.type}><header><span class="seq dim">${number(i + 1)}</span> ${badge(hit.type)}
      <a data-item href=${link(hit)} dir="auto">${where.filter(Boolean).map(plain).flatMap((name, k) => (k ? [' › ', name] : [name]))}</a> ${hit.type === 'message' ? nothing : forWhom(hit.user)}
      <span class="dim">${ago(hit.ts)}</span><span class="grow"></span><span class="n dim">score ${hit.score.toPrecision(3)}, ${number(hit.content_chars)} characters</span></header>
    ${content(hit.excerpt, { most: 600, words: hit.why.words || [] })}${why(hit.why)}</article>`;
}

/** Why a hit is one: its words, its places in both lists, and what each gives to the score. */
function why(reasons) {
  const facts = [];
  if (reasons.bm25 !== undefined) facts.push('BM25 ' + reasons.bm25.toPrecision(3));
  if (reasons.keyword_rank) facts.push('place ' + reasons.keyword_rank + ' by words');
  if (reasons.cosine !== undefined) facts.push('cosine ' + reasons.cosine.toFixed(3));
  if (reasons.vector_rank) facts.push('place ' + reasons.vector_rank + ' by meaning');
  if (reasons.shares) facts.push('meaning counts ' + Math.round(reasons.shares.weight * 100) + ' %');
  return html`<div class="why note">Why: ${reasons.words?.length ? reasons.words.map(word => [badge(word, 'good'), ' ']) : 'by meaning, no word of the query is in it;'} ${facts.join(', ')}
    ${Object.entries(reasons.typos || {}).map(([typed, taken]) => html` ${badge(typed + ' → ' + taken, 'warn')}`)}
    ${reasons.shares ? html`<div class="mini">${bar([{ name: 'words', value: reasons.shares.words * 1000, kind: 'history' }, { name: 'meaning', value: reasons.shares.meaning * 1000, kind: 'memory' }], { legend: false, label: 'words ' + reasons.shares.words.toFixed(3) + ', meaning ' + reasons.shares.meaning.toFixed(3) })}</div>` : nothing}</div>`;
}
